//! How long queries of risks take over the sample clusters, without reading either, and how long a
//! Prometheus takes to answer them in the same run.
//!
//! `cargo bench --bench query`; with `-- --quick` a few runs. The queries are those of
//! `fixtures/graph-data`, or of the newest revision of another repository: `-- --repo FOLDER`.
//! `-- --only N` evaluates all of them N times and prints nothing, for tools that count
//! instructions.
//!
//! Prometheus comes from the variable `PROMETHEUS` or from the `PATH`. `tests/tables/values-verify`
//! says how to get it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench prints, and stops when it cannot"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use exitpath::testing::domain::Named;
use exitpath::testing::graph_data::{GraphData, blobs};
use exitpath::testing::metrics::{FIXED_TIME, SampleCluster, Series};
use promql::{Dialect, Query, Settings, evaluate, parse};

#[path = "prometheus/mod.rs"]
mod prometheus;

/// A sample cluster, and the queries as it asks them.
struct Sample {
    cluster: SampleCluster,
    series: Series,
    queries: Vec<Query>,
}

impl Sample {
    fn new(cluster: SampleCluster, texts: &[String]) -> Self {
        let series = cluster.series(None);
        let queries = texts.iter().map(|text| parse(&series.as_asked(text)).unwrap()).collect();
        Self { cluster, series, queries }
    }

    /// The time of each query.
    fn run(&self) -> Vec<Duration> {
        let settings = Settings::at(self.series.time, Dialect::Three);
        let timed = |query| {
            let start = Instant::now();
            let _ = black_box(evaluate(query, &self.series.store, &settings));
            start.elapsed()
        };
        self.queries.iter().map(timed).collect()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1)
    };
    let blobs = match value("--repo") {
        Some(folder) => blobs(Path::new(folder), Some("HEAD")),
        None => blobs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graph-data"), None),
    };
    let data = GraphData::from_blobs(blobs.unwrap());
    let valid = data.queries.all().filter(|reading| reading.query.is_ok());
    let texts: Vec<String> = valid.map(|reading| reading.text.clone()).collect();
    let samples = SampleCluster::ALL.iter().map(|cluster| Sample::new(*cluster, &texts));
    let samples: Vec<Sample> = samples.collect();
    if let Some(times) = value("--only") {
        for _ in 0..times.parse().unwrap() {
            for sample in &samples {
                sample.run();
            }
        }
        return;
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let runs = if quick { 3 } else { 50 };
    println!("sample               series  queries  µs/query  slowest µs");
    let mut all = Vec::new();
    for sample in &samples {
        let fastest = fastest(sample, runs);
        print(sample.cluster.name(), sample.series.store.len(), &fastest);
        all.extend(fastest);
    }
    print("all", samples.iter().map(|sample| sample.series.store.len()).sum(), &all);
    let here = mean(&all).as_secs_f64() * 1e6;
    match server_times(&texts, if quick { 1 } else { 10 }) {
        Some((version, times)) => {
            let there = mean(&times).as_secs_f64() * 1e6;
            println!(
                "one query on one sample: {here:.1} µs here, {there:.0} µs from Prometheus {version}"
            );
        }
        None => println!(
            "one query on one sample: {here:.1} µs here. Skipped: the time of a Prometheus, because \
             there is none. PROMETHEUS can name it."
        ),
    }
}

/// The version of a Prometheus, and the shortest time of each answer about each sample cluster.
fn server_times(texts: &[String], runs: usize) -> Option<(String, Vec<Duration>)> {
    const DAY: i64 = 86_400_000;
    let mut server = prometheus::Server::start()?;
    let mut fastest = Vec::new();
    // Each cluster has a day of its own. Prometheus takes no samples that are older than others.
    for (cluster, day) in SampleCluster::ALL.iter().zip(1..) {
        let series = cluster.series(Some(FIXED_TIME + DAY * day));
        server.write(&series.store);
        for text in texts {
            let query = series.as_asked(text);
            let times = (0..=runs).map(|_| server.time(&query, series.time));
            // The first one is not counted.
            fastest.extend(times.skip(1).min());
        }
    }
    Some((server.version(), fastest))
}

fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>() / u32::try_from(times.len()).unwrap().max(1)
}

/// The shortest time of each query. The first run is not counted.
fn fastest(sample: &Sample, runs: usize) -> Vec<Duration> {
    sample.run();
    let mut fastest = sample.run();
    for _ in 1..runs {
        for (known, time) in fastest.iter_mut().zip(sample.run()) {
            *known = time.min(*known);
        }
    }
    fastest
}

fn print(name: &str, series: usize, times: &[Duration]) {
    let micro = |time: Duration| time.as_secs_f64() * 1e6;
    let queries = times.len();
    let slowest = times.iter().max().copied().unwrap_or_default();
    println!(
        "{name:<20} {series:>6} {queries:>8} {:>9.1} {:>11.1}",
        micro(mean(times)),
        micro(slowest),
    );
}
