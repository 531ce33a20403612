//! In a build without the feature `live`, no server can be asked.

use crate::promql::Value;

use super::error::MetricsError;
use super::query_error::QueryError;
use super::server_request::ServerRequest;

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
