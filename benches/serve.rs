//! How many answers a second a service gives to 2,000 clients at once, and how long one client
//! alone waits for an answer. All answers have to be complete, and the same.
//!
//! `cargo bench --bench serve` asks `exitpath serve` for a fixture. With `-- NAME=URL…` it asks
//! services that run, one after the other, and compares them with the first: `.ci/serve` gives it
//! an nginx with the same bytes. `--quick` asks less often, `--gzip` for compressed answers, and
//! `--clients`, `--requests`, `--rounds`, and `--alone` set the numbers.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and stops when it cannot"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

#[path = "serve/address.rs"]
mod address;
#[path = "serve/answer.rs"]
mod answer;
#[path = "serve/fixture.rs"]
mod fixture;
#[path = "serve/settings.rs"]
mod settings;

use address::Address;
use answer::{Asking, Patient, expected};
use fixture::Fixture;
use settings::Settings;

/// One answer may take this many times as long as from the first service. The aim is 1.5.
const FAR_TOO_SLOW: f64 = 5.0;

fn main() {
    let mut settings = Settings::read(std::env::args().skip(1));
    let fixture = settings.addresses.is_empty().then(Fixture::start);
    settings.addresses.extend(fixture.as_ref().map(|fixture| fixture.address.clone()));
    let body = expected(&settings.addresses[0], settings.is_compressed);
    let encoding = if settings.is_compressed { "gzip" } else { "plain" };
    println!("{} bytes, {encoding}", body.len());
    load(&settings, &body);
    alone(&settings, &body);
}

fn load(settings: &Settings, body: &Arc<[u8]>) {
    if settings.rounds == 0 {
        return;
    }
    let Settings { clients, requests, rounds, .. } = *settings;
    println!("{clients} clients at once, {requests} requests, the median of {rounds} rounds:");
    println!("{:<20} {:>10} {:>9} {:>9}", "", "requests/s", "p50 ms", "p99 ms");
    let mut measured = vec![Vec::new(); settings.addresses.len()];
    for _ in 0..rounds {
        for (address, measured) in settings.addresses.iter().zip(&mut measured) {
            measured.push(round(settings, address, body));
        }
    }
    for (address, mut rounds) in settings.addresses.iter().zip(measured) {
        rounds.sort_by_key(|round| round.total);
        let Round { total, times } = &rounds[rounds.len() / 2];
        #[allow(clippy::cast_precision_loss, reason = "there are not so many")]
        let each_second = times.len() as f64 / total.as_secs_f64();
        let (half, most) = (milliseconds(times, 50), milliseconds(times, 99));
        println!("{:<20} {each_second:>10.0} {half:>9.1} {most:>9.1}", address.name);
    }
}

#[derive(Clone)]
struct Round {
    total: Duration,
    /// How long each answer took, shortest first.
    times: Vec<Duration>,
}

/// All clients ask at once, each on a connection of its own that stays open.
fn round(settings: &Settings, address: &Address, body: &Arc<[u8]>) -> Round {
    let each = settings.requests.div_ceil(settings.clients);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connected = Vec::new();
        for _ in 0..settings.clients {
            connected.push(Patient::connect(address, settings.is_compressed, body).await);
        }
        let started = Instant::now();
        let tasks = connected.into_iter().map(|mut client| {
            tokio::spawn(async move {
                let mut times = Vec::with_capacity(each);
                for _ in 0..each {
                    times.push(client.ask().await);
                }
                times
            })
        });
        let mut times = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            times.extend(task.await.unwrap());
        }
        let total = started.elapsed();
        times.sort_unstable();
        Round { total, times }
    })
}

/// One client asks one service after the other, so that all have the same disturbances.
fn alone(settings: &Settings, body: &Arc<[u8]>) {
    if settings.alone == 0 {
        return;
    }
    println!("one client, {} requests one after the other:", settings.alone);
    let open = |address| Asking::connect(address, settings.is_compressed, body);
    let mut clients: Vec<Asking> = settings.addresses.iter().map(open).collect();
    let mut times = vec![Vec::new(); clients.len()];
    for _ in 0..settings.alone {
        for (client, times) in clients.iter_mut().zip(&mut times) {
            times.push(client.ask());
        }
    }
    for times in &mut times {
        times.sort_unstable();
    }
    let first = milliseconds(&times[0], 50);
    for (address, times) in settings.addresses.iter().zip(&times) {
        let (half, most) = (milliseconds(times, 50), milliseconds(times, 99));
        let ratio = half / first;
        let name = &address.name;
        println!("{name:<20} median {half:.3} ms, p99 {most:.3} ms, {ratio:.2} times the first");
        assert!(ratio < FAR_TOO_SLOW, "{name} takes {ratio:.1} times as long as the first");
    }
}

fn milliseconds(sorted: &[Duration], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100].as_secs_f64() * 1000.0
}
