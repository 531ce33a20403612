//! Why a server gives no answer, in one line.

use std::io::ErrorKind;
use std::time::Duration;

use ureq::Error;

use super::super::error::words as words_of;
use super::MOST;
use crate::text::words::counted;

pub(super) fn words(host: &str, limit: Duration, error: &Error) -> String {
    match error {
        Error::Timeout(_) => format!("{host} does not answer within {}", in_words(limit)),
        Error::HostNotFound => format!("there is no host {host}"),
        Error::BodyExceedsLimit(_) => {
            format!("the answer of {host} has more than {} MiB", MOST >> 20)
        }
        Error::Io(error) => match (error.kind(), error.to_string()) {
            (ErrorKind::ConnectionRefused, _) => format!("{host} refuses the connection"),
            (ErrorKind::TimedOut, _) => format!("{host} does not answer"),
            (_, text) if text.contains("peer certificate") => certificate(host, &text),
            (_, text) if text.contains("lookup address") => format!("there is no host {host}"),
            _ => format!("asking {host} failed: {}", words_of(error)),
        },
        Error::Rustls(error) if error.to_string().contains("peer certificate") => {
            certificate(host, &error.to_string())
        }
        error => format!("asking {host} failed: {error}"),
    }
}

fn certificate(host: &str, text: &str) -> String {
    let why = text.rsplit("certificate: ").next().unwrap_or_default();
    format!(
        "the certificate of {host} does not verify ({why}): if your own authority signs it, name \
         that with --ca FILE"
    )
}

fn in_words(limit: Duration) -> String {
    let seconds = usize::try_from(limit.as_secs()).unwrap_or(usize::MAX);
    match seconds {
        0 => format!("{} ms", limit.as_millis()),
        seconds => counted(seconds, "second"),
    }
}
