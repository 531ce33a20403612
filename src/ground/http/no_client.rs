//! In a build without the feature `live`, no server can be asked.

use crate::text::Failure;

use super::{ClientRequest, GetError, HttpAnswer};

/// A server to ask. It does not exist in this build.
#[derive(Debug)]
pub(crate) struct Client {
    never: std::convert::Infallible,
}

impl Client {
    /// Fails, because this build cannot ask servers.
    pub(crate) fn open(_: &ClientRequest<'_>) -> Result<(Self, Vec<String>), Failure> {
        Err(Failure::new("this exitpath cannot ask a server")
            .hint("it was built without the feature `live`"))
    }

    pub(crate) fn host(&self) -> &str {
        match self.never {}
    }

    pub(crate) fn url(&self) -> &str {
        match self.never {}
    }

    pub(crate) fn get(&self, _: &str, _: Option<&str>) -> Result<HttpAnswer, GetError> {
        match self.never {}
    }
}
