//! The address of a server.

use std::fmt::Write;
use std::net::IpAddr;

use ureq::http::Uri;

use super::super::error::MetricsError;

/// The address of a server.
#[derive(Clone, Debug)]
pub(super) struct Address {
    is_encrypted: bool,
    /// With the port, if the address has one.
    pub(super) host: String,
    is_loopback: bool,
    /// Up to `/api/v1`, without a slash at the end.
    base: String,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Self, MetricsError> {
        let wrong = |why: &str| {
            MetricsError::new(format!("`{url}` is not the address of a Prometheus: {why}")).hint(
                "an address is such as https://prometheus.example.com or http://localhost:9090",
            )
        };
        let is_encrypted = match url.split_once("://") {
            Some(("https", _)) => true,
            Some(("http", _)) => false,
            _ => return Err(wrong("it does not start with https:// or http://")),
        };
        let uri: Uri = url.parse().map_err(|_| wrong("it is not a URL"))?;
        let authority = uri.authority().ok_or_else(|| wrong("it has no host"))?;
        if authority.as_str().contains('@') {
            // It is not repeated, because it may have a password.
            return Err(MetricsError::new("the URL has the name of a user")
                .hint("give a token instead: `--token-file FILE`"));
        }
        if uri.query().is_some() || url.contains('#') {
            return Err(wrong("it has more than a path"));
        }
        let host = authority.host();
        let number = host.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = host.eq_ignore_ascii_case("localhost")
            || number.parse().is_ok_and(|number: IpAddr| number.is_loopback());
        let base = url.trim_end_matches('/');
        let base =
            base.strip_suffix("/query").filter(|base| base.ends_with("/api/v1")).unwrap_or(base);
        let base = base.strip_suffix("/api/v1").unwrap_or(base).to_owned();
        Ok(Self { is_encrypted, host: authority.as_str().to_owned(), is_loopback, base })
    }

    /// Whether only the server can read what is sent.
    pub(super) fn is_private(&self) -> bool {
        self.is_encrypted || self.is_loopback
    }

    pub(super) fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// The URL of a query at a time in seconds.
    pub(super) fn of_query(&self, query: &str, time: &str) -> String {
        let mut url = format!("{}/api/v1/query?time={time}&query=", self.base);
        for byte in query.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                url.push(char::from(byte));
            } else {
                let _ = write!(url, "%{byte:02X}");
            }
        }
        url
    }
}
