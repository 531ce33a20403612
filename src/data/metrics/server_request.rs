//! Which server to ask, and how long to wait.

use std::path::Path;
use std::time::Duration;

/// A request to open a server.
#[derive(Clone, Copy, Debug)]
pub struct ServerRequest<'a> {
    /// The address of the server, or of its API, which ends in `/api/v1`.
    pub url: &'a str,
    /// The file with the token that authenticates the client.
    pub token_file: Option<&'a Path>,
    /// The file with the certificates of the only authorities to trust.
    pub ca: Option<&'a Path>,
    /// The time of the queries, in milliseconds since 1970. None means now.
    pub time: Option<i64>,
    /// How long an answer can take.
    pub limit: Duration,
}
