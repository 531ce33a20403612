//! Sockets: connections, HTTP, and TLS for the update service, with limits for all of them.

mod answering;
mod body;
mod connection;
mod limits;
mod listener;
mod log;
mod stalled;
mod tls;

pub(crate) use listener::Listener;
pub(crate) use log::Log;
pub(crate) use tls::Identity;

#[cfg(unix)]
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
#[cfg(unix)]
use std::task::Poll;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::sync::Semaphore;

use crate::service::Service;

use limits::{DRAIN, MOST_CONNECTIONS, MOST_STATUS_CONNECTIONS};

/// Answers requests until the process is asked to stop. Then finishes the requests that have begun.
pub(crate) fn run(service: &Arc<Service>, listeners: Vec<Listener>, log: &Log) -> io::Result<()> {
    let open_files = limits::raise_open_files();
    let most = MOST_CONNECTIONS.min(open_files);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let of_clients = Arc::new(Semaphore::new(most));
        // The status has its own limit, so that many clients cannot make a probe fail.
        let of_status = Arc::new(Semaphore::new(MOST_STATUS_CONNECTIONS));
        let graceful = Arc::new(GracefulShutdown::new());
        let mut tasks = Vec::new();
        for listener in listeners {
            let places = if listener.is_for_status() { &of_status } else { &of_clients };
            let accepting = listener.accepting(service, places, &graceful, log)?;
            tasks.push(tokio::spawn(accepting));
        }
        stop_signal().await?;
        for task in tasks {
            task.abort();
            // The task was aborted, so it ends with an error.
            let _ = task.await;
        }
        let graceful = alone(graceful).await;
        // Answers that take longer are cut.
        let _ = tokio::time::timeout(DRAIN, graceful.shutdown()).await;
        Ok(())
    })
}

/// Waits until no other clone of the `Arc` exists. A new connection holds one only for a moment.
async fn alone<T>(mut shared: Arc<T>) -> T {
    loop {
        match Arc::try_unwrap(shared) {
            Ok(alone) => return alone,
            Err(still_shared) => shared = still_shared,
        }
        tokio::task::yield_now().await;
    }
}

/// Waits until the process is asked to stop.
#[cfg(unix)]
async fn stop_signal() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    poll_fn(|context| {
        let signals = [terminate.poll_recv(context), interrupt.poll_recv(context)];
        if signals.iter().any(Poll::is_ready) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    Ok(())
}

#[cfg(not(unix))]
async fn stop_signal() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}
