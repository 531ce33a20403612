//! Which server to ask, and how long to wait.

use std::path::Path;
use std::time::Duration;

/// How long an answer can take, from the look-up of the name to the last byte.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A request to open a server.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "live"), allow(dead_code, reason = "there is no server to ask"))]
pub struct ServerRequest<'a> {
    /// The address, up to `/api/v1`.
    pub url: &'a str,
    /// The file with the token that proves who asks.
    pub token_file: Option<&'a Path>,
    /// The file with the certificates of the only authorities to trust.
    pub ca: Option<&'a Path>,
    /// The time of the queries, in milliseconds since 1970. Default: now.
    pub time: Option<i64>,
    /// How long an answer can take.
    pub limit: Duration,
}
