//! The address of a server.

use std::net::IpAddr;

use ureq::http::Uri;

use crate::text::Failure;

use super::ServerKind;

/// The address of a server.
#[derive(Clone, Debug)]
pub(super) struct Address {
    is_encrypted: bool,
    /// The host, with the port if the address has one.
    pub(super) host: String,
    is_loopback: bool,
    /// The URL without a slash at the end.
    pub(super) url: String,
}

impl Address {
    pub(super) fn parse(url: &str, kind: ServerKind) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            let ServerKind { name, examples } = kind;
            Failure::new(format!("`{url}` is not the address of {name}: {why}"))
                .hint(format!("an address is such as {examples}"))
        };
        let is_encrypted = match url.split_once("://") {
            Some(("https", _)) => true,
            Some(("http", _)) => false,
            _ => return Err(wrong("it does not start with https:// or http://")),
        };
        let uri: Uri = url.parse().map_err(|_| wrong("it is not a URL"))?;
        let authority = uri.authority().ok_or_else(|| wrong("it has no host"))?;
        if authority.as_str().contains('@') {
            // The URL is not repeated in the message, because it may contain a password.
            return Err(Failure::new("the URL has the name of a user")
                .hint("give a token instead: `--token-file FILE`"));
        }
        if uri.query().is_some() || url.contains('#') {
            return Err(wrong("it has more than a path"));
        }
        let host = authority.host();
        let number = host.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = host.eq_ignore_ascii_case("localhost")
            || number.parse().is_ok_and(|number: IpAddr| number.is_loopback());
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self { is_encrypted, host: authority.as_str().to_owned(), is_loopback, url })
    }

    /// Whether nobody else can read what is sent to the server.
    pub(super) fn is_private(&self) -> bool {
        self.is_encrypted || self.is_loopback
    }

    pub(super) fn is_loopback(&self) -> bool {
        self.is_loopback
    }
}
