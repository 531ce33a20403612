//! Why a server gives no answer, in one line.

use std::io::ErrorKind;
use std::time::Duration;

use ureq::Error;

use crate::text::system_words;

use super::GetError;

/// The reason for a missing answer, given the limits of time and size.
pub(super) fn failure(host: &str, limit: Duration, most: u64, error: &Error) -> GetError {
    GetError::NoAnswer(match error {
        Error::BodyExceedsLimit(_) => {
            let words = format!("the answer of {host} has more than {} MiB", most >> 20);
            return GetError::TooLarge(words);
        }
        Error::Timeout(_) => format!("{host} does not answer within {}", in_words(limit)),
        Error::HostNotFound => format!("there is no host {host}"),
        Error::Io(error) => match (error.kind(), error.to_string()) {
            (ErrorKind::ConnectionRefused, _) => format!("{host} refuses the connection"),
            (ErrorKind::TimedOut, _) => format!("{host} does not answer"),
            (_, text) if text.contains("peer certificate") => certificate(host, &text),
            (_, text) if text.contains("lookup address") => format!("there is no host {host}"),
            _ => format!("asking {host} failed: {}", system_words(error)),
        },
        Error::Rustls(error) if error.to_string().contains("peer certificate") => {
            certificate(host, &error.to_string())
        }
        error => format!("asking {host} failed: {error}"),
    })
}

fn certificate(host: &str, text: &str) -> String {
    let why = text.rsplit("certificate: ").next().unwrap_or_default();
    format!(
        "the certificate of {host} does not verify ({why}): if your own authority signs it, name \
         that with --ca FILE"
    )
}

fn in_words(limit: Duration) -> String {
    match limit.as_secs() {
        0 => format!("{} ms", limit.as_millis()),
        1 => "1 second".to_owned(),
        seconds => format!("{seconds} seconds"),
    }
}
