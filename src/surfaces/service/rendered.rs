//! An answer that is rendered and compressed only once, for all clients.

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
    /// None if compression does not make it smaller.
    gzip: Option<Bytes>,
    /// The entity tag, without quotes.
    tag: String,
}

impl Rendered {
    pub(super) fn new(plain: Vec<u8>) -> Self {
        let gzip = Some(gzip(&plain).into());
        Self { gzip, ..Self::compressed(plain) }
    }

    /// An answer that is already compressed.
    pub(super) fn compressed(plain: Vec<u8>) -> Self {
        let tag = format!("{:016x}-{:x}", fnv_hash(&plain), plain.len());
        Self { gzip: None, plain: plain.into(), tag }
    }

    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// The response to a client, which may already have the answer, and may accept it compressed.
    pub(super) fn response(&self, request: &Request<'_>, content_type: &str) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| takes_gzip(request.accept_encoding));
        let tag = format!("\"{}{}\"", self.tag, if gzip.is_some() { "-gzip" } else { "" });
        let response =
            Response::empty(200).with("etag", &*tag).with("vary", "accept, accept-encoding");
        if request.if_none_match.is_some_and(|known| is_among(&tag, known)) {
            return Response { status: 304, ..response };
        }
        let response = response.with("content-type", content_type);
        match gzip {
            Some(gzip) => {
                Response { body: gzip.clone(), ..response }.with("content-encoding", "gzip")
            }
            None => Response { body: self.plain.clone(), ..response },
        }
    }
}

/// Whether the header `If-None-Match` contains this tag.
fn is_among(tag: &str, known: &str) -> bool {
    let known = known.split(',').map(str::trim);
    known.into_iter().any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// Compresses without a name and a time, so that equal texts give equal bytes.
pub(super) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}
