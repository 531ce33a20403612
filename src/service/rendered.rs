//! An answer that is rendered and compressed once, for all clients.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::text::fnv_hash;

use super::negotiation::takes_gzip;
use super::request::Request;
use super::response::Response;

/// The body of an answer, plain and compressed.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    plain: Bytes,
    gzip: Bytes,
    /// Without quotes.
    tag: String,
}

impl Rendered {
    #[must_use]
    pub(super) fn new(plain: Vec<u8>) -> Self {
        let tag = format!("{:016x}-{:x}", fnv_hash(&plain), plain.len());
        Self { gzip: gzip(&plain).into(), plain: plain.into(), tag }
    }

    #[must_use]
    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// The answer for a client that may have it already, and may take it compressed.
    #[must_use]
    pub(super) fn response(&self, request: &Request<'_>, content_type: &str) -> Response {
        let is_compressed = takes_gzip(request.accept_encoding);
        let suffix = if is_compressed { "-gzip" } else { "" };
        let headers = Response::empty(200)
            .with("etag", format!("\"{}{suffix}\"", self.tag))
            .with("vary", "accept, accept-encoding, origin");
        if request.if_none_match.is_some_and(|tags| self.is_among(tags)) {
            return Response { status: 304, ..headers };
        }
        let response = headers.with("content-type", content_type);
        if is_compressed {
            return Response { body: self.gzip.clone(), ..response }
                .with("content-encoding", "gzip");
        }
        Response { body: self.plain.clone(), ..response }
    }

    /// Whether the header `If-None-Match` names this answer, in either encoding.
    fn is_among(&self, tags: &str) -> bool {
        tags.split(',').map(str::trim).any(|tag| {
            let tag = tag.strip_prefix("W/").unwrap_or(tag);
            let tag = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
            tag == "*" || tag.strip_suffix("-gzip").unwrap_or(tag) == self.tag
        })
    }
}

/// Compresses without a name and a time, so that the same bytes come of the same text.
#[must_use]
pub(super) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}
