//! A response, and how to deliver it.

use std::time::Duration;

use bytes::Bytes;

/// A response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Response {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Bytes,
    pub delivery: Delivery,
}

/// How to deliver a response. Only scenarios delay or cut it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub delay: Duration,
    /// How many bytes of the body to send before the connection breaks. None for all.
    pub cut_after: Option<usize>,
}

impl Response {
    /// A response without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, ..Self::default() }
    }

    pub(super) fn text(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        Self { status, body, ..Self::default() }.with("content-type", content_type)
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}
