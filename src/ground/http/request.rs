//! What to ask a server, and what it answers.

use std::path::Path;
use std::time::Duration;

/// The time limit for an answer, from looking up the name to the last byte.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(30);

/// What kind of server is meant, for messages.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "live"), allow(dead_code, reason = "there is no server to ask"))]
pub(crate) struct ServerKind {
    /// Its name with an article: `a Prometheus`.
    pub name: &'static str,
    /// Examples of addresses of such servers.
    pub examples: &'static str,
}

impl ServerKind {
    pub(crate) const UPDATE_SERVICE: Self = Self {
        name: "an update service",
        examples: "https://updates.example.com or http://localhost:8080",
    };
}

/// Which server to ask, and how.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "live"), allow(dead_code, reason = "there is no server to ask"))]
pub(crate) struct ClientRequest<'a> {
    /// The address. It has no query.
    pub url: &'a str,
    pub kind: ServerKind,
    /// The file with the token that authenticates the client.
    pub token_file: Option<&'a Path>,
    /// The file with the certificates of the only authorities to trust.
    pub ca: Option<&'a Path>,
    /// How long an answer can take.
    pub limit: Duration,
    /// The largest answer, in bytes.
    pub most: u64,
}

/// What a server answers.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "live"), allow(dead_code, reason = "there is no server to ask"))]
pub(crate) struct HttpAnswer {
    /// The HTTP status.
    pub status: u16,
    pub body: Vec<u8>,
    /// Where a redirect leads, shortened, if the status is a redirect.
    pub location: Option<String>,
}
