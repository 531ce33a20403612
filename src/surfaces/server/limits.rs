//! Limits that keep one client from slowing down the others.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

/// The most connections. Further ones are refused.
pub(super) const MOST_CONNECTIONS: usize = 4_096;

/// The most connections to a port that has only the status.
pub(super) const MOST_STATUS_CONNECTIONS: usize = 64;

/// The most bytes of the head of a request, including the request line. Real requests have some
/// hundreds.
pub(super) const LARGEST_HEAD: usize = 16 << 10;

pub(super) const MOST_HEADERS: usize = 64;

/// How long a client may take to send a request, or to begin the next one.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(10);

/// How long a client may stop reading an answer.
pub(super) const STALL_TIME: Duration = Duration::from_secs(30);

/// How long answers that have begun may take after the process is asked to stop.
pub(super) const DRAIN: Duration = Duration::from_secs(10);

/// How many connections may wait to be accepted. With the usual 128, many simultaneous clients
/// would have to retry after a second.
#[cfg(unix)]
const MOST_WAITING: i32 = 4_096;

/// The number of files that the process needs besides connections of clients.
const OTHER_FILES: usize = 64 + MOST_STATUS_CONNECTIONS;

/// Allows many clients to wait until they are accepted.
#[cfg(unix)]
pub(super) fn let_wait(socket: &TcpListener) -> io::Result<()> {
    Ok(rustix::net::listen(socket, MOST_WAITING)?)
}

#[cfg(not(unix))]
pub(super) fn let_wait(_: &TcpListener) -> io::Result<()> {
    Ok(())
}

/// Raises the number of files that the process may open, and returns how many connections fit.
#[cfg(unix)]
pub(super) fn raise_open_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = (MOST_CONNECTIONS + OTHER_FILES) as u64;
    let allowed = limit.maximum.unwrap_or(u64::MAX);
    let current = limit.current.unwrap_or(u64::MAX);
    let raised = current.max(wanted.min(allowed));
    let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum: limit.maximum });
    let open = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(open).unwrap_or(usize::MAX).saturating_sub(OTHER_FILES).max(1)
}

#[cfg(not(unix))]
pub(super) fn raise_open_files() -> usize {
    MOST_CONNECTIONS
}
