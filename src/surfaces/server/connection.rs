//! One connection: HTTP with limits.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::text::Failure;

use super::answering::Answering;
use super::limits::{HEAD_TIME, LARGEST_HEAD, MOST_HEADERS};
use super::stalled::Patient;

/// Answers all requests of a connection. The error says why it ended early.
pub(super) fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    answering: Answering,
    watcher: Watcher,
) -> impl Future<Output = Result<(), Failure>> {
    let is_asking = Arc::clone(&answering.is_asking);
    let stream = Patient::new(stream, Arc::clone(&is_asking));
    let service = service_fn(move |request| {
        let answering = answering.clone();
        async move { Ok::<_, Infallible>(answering.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let ended = watcher.watch(connection);
    async move {
        match ended.await {
            // A connection that waits for its next request may end.
            Err(error) if error.is_timeout() && !is_asking.load(Ordering::Relaxed) => Ok(()),
            ended => ended.map_err(|error| Failure::new(in_words(&error))),
        }
    }
}

fn in_words(error: &hyper::Error) -> String {
    if error.is_parse_too_large() {
        return "the request has too large or too many headers".to_owned();
    }
    if error.is_parse() {
        return "the request is not HTTP".to_owned();
    }
    if error.is_timeout() {
        let seconds = HEAD_TIME.as_secs();
        return format!("no whole request came within {seconds} seconds");
    }
    match std::error::Error::source(error) {
        // Use our own words: hyper's would be about "the user's Body stream".
        Some(inner) if error.is_user() => inner.to_string(),
        Some(inner) => format!("{error}: {inner}"),
        None => error.to_string(),
    }
}
