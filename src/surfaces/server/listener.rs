//! An address of the service, and the connections to it.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Weak};
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout};

use crate::service::{Port, Service};

use super::answering::Answering;
use crate::text::Failure;

use super::connection::serve;
use super::limits::{self, HEAD_TIME};
use super::log::Log;
use super::tls::Identity;

/// An address of the service.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: TcpListener,
    port: Port,
    identity: Option<Identity>,
}

impl Listener {
    /// Binds to an address.
    pub(crate) fn bind(
        address: SocketAddr,
        port: Port,
        identity: Option<Identity>,
    ) -> io::Result<Self> {
        let socket = TcpListener::bind(address)?;
        limits::let_wait(&socket)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, port, identity })
    }

    /// The purpose of the address, and where clients reach it.
    pub(crate) fn in_words(&self) -> io::Result<String> {
        let scheme = if self.identity.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", self.socket.local_addr()?);
        Ok(match self.port {
            Port::Clients { .. } => {
                format!("clusters ask at {url}/api/upgrades_info/v1/graph, and people at {url}/")
            }
            Port::Raw => format!("the whole graph is at {url}/graph"),
            Port::Status => format!("/livez, /readyz, and /metrics are at {url}"),
        })
    }

    pub(super) fn is_for_status(&self) -> bool {
        matches!(self.port, Port::Status)
    }

    /// Accepts connections until it is dropped. Must be called in a runtime.
    pub(super) fn accepting(
        self,
        service: &Arc<Service>,
        places: &Arc<Semaphore>,
        graceful: &Arc<GracefulShutdown>,
        log: &Log,
    ) -> io::Result<impl Future<Output = ()> + Send + use<>> {
        let socket = tokio::net::TcpListener::from_std(self.socket)?;
        let (service, places, log) = (Arc::clone(service), Arc::clone(places), log.clone());
        let graceful = Arc::downgrade(graceful);
        let (port, identity) = (self.port, self.identity);
        let mut refused = Refused::default();
        Ok(async move {
            loop {
                let (stream, client) = match socket.accept().await {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // Without a pause, running out of open files would use all CPU time.
                        log.problem(&format!("cannot accept a connection: {error}"));
                        sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                };
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                    service.metrics.count_refused_connection();
                    refused.count(&log);
                    drop(stream);
                    continue;
                };
                let (service, log) = (Arc::clone(&service), log.clone());
                let is_asking = Arc::default();
                let answering = Answering { service, port, client, log, is_asking };
                let (identity, graceful) = (identity.clone(), Weak::clone(&graceful));
                tokio::spawn(connected(stream, identity, answering, graceful, place));
            }
        })
    }
}

/// Refused connections, reported at most once a second.
#[derive(Default)]
struct Refused {
    count: u64,
    reported: Option<Instant>,
}

impl Refused {
    fn count(&mut self, log: &Log) {
        self.count += 1;
        let is_time = |reported: Instant| reported.elapsed() >= Duration::from_secs(1);
        if self.reported.is_none_or(is_time) {
            let count = self.count;
            log.problem(&format!("refused {count} connections: too many are open"));
            *self = Self { count: 0, reported: Some(Instant::now()) };
        }
    }
}

async fn connected(
    stream: TcpStream,
    identity: Option<Identity>,
    answering: Answering,
    graceful: Weak<GracefulShutdown>,
    _place: OwnedSemaphorePermit,
) {
    let service = Arc::clone(&answering.service);
    let _open = service.metrics.connection();
    let (client, log) = (answering.client, answering.log.clone());
    // Small packets are sent at once.
    let _ = stream.set_nodelay(true);
    // A shutdown waits for answers, not for idle clients.
    let watcher = || graceful.upgrade().map(|graceful| graceful.watcher());
    let ended = match identity {
        None => match watcher() {
            Some(watcher) => serve(stream, answering, watcher).await,
            None => Ok(()),
        },
        Some(identity) => match timeout(HEAD_TIME, identity.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => match watcher() {
                Some(watcher) => serve(stream, answering, watcher).await,
                None => Ok(()),
            },
            Ok(Err(error)) => Err(Failure::new(format!("TLS failed: {error}"))),
            Err(_) => {
                let seconds = HEAD_TIME.as_secs();
                Err(Failure::new(format!("TLS did not begin within {seconds} seconds")))
            }
        },
    };
    if let Err(why) = ended {
        log.problem(&format!("{}: {why}", client.ip()));
    }
}
