//! In a build without the feature `live`, no server can be asked.

use std::path::Path;
use std::time::Duration;

use crate::promql::Value;

use super::error::MetricsError;
use super::query_error::QueryError;

/// How long an answer can take.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A request to open a server.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "a build with the feature reads it")]
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

/// A server to ask. This build has none.
#[derive(Debug)]
pub struct Server {
    never: std::convert::Infallible,
    /// When queries are asked, in milliseconds since 1970.
    pub(super) time: i64,
}

impl Server {
    /// Says that it cannot ask.
    pub fn open(_: &ServerRequest<'_>) -> Result<(Self, Vec<String>), MetricsError> {
        Err(MetricsError::new("this exitpath cannot ask a server")
            .hint("it was built without the feature `live`"))
    }

    pub(super) fn ask(&self, _: &str) -> Result<Value, QueryError> {
        match self.never {}
    }
}
