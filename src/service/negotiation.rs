//! Which media type and which encoding a client gets.

use crate::channel_list;

use super::refusal::Refusal;

/// What an endpoint can send.
#[derive(Clone, Copy, Debug)]
pub(super) struct MediaTypes {
    /// The versioned type, for clients that ask for it or for nothing.
    pub versioned: Option<&'static str>,
}

pub(super) const GRAPH: MediaTypes =
    MediaTypes { versioned: Some("application/vnd.redhat.cincinnati.v1+json") };
pub(super) const CHANNELS: MediaTypes = MediaTypes { versioned: Some(channel_list::MEDIA_TYPE) };
/// The graph for the policy engine has no versions.
pub(super) const RAW_GRAPH: MediaTypes = MediaTypes { versioned: None };

const JSON: &str = "application/json";

impl MediaTypes {
    /// The type of the answer. The service compares the whole header: it knows no lists and no `q`.
    pub(super) fn negotiate(self, accept: Option<&[u8]>) -> Result<&'static str, Refusal> {
        match (accept, self.versioned) {
            (None, versioned) => Ok(versioned.unwrap_or(JSON)),
            (Some(b"application/json" | b"*" | b"*/*" | b"application/*"), _) => Ok(JSON),
            (Some(accept), Some(versioned)) if accept == versioned.as_bytes() => Ok(versioned),
            _ => Err(Refusal::NotAcceptable),
        }
    }
}

/// Whether a client takes gzip, by its header `Accept-Encoding`.
#[must_use]
pub(super) fn takes_gzip(accept_encoding: Option<&str>) -> bool {
    let mut takes_any = false;
    for coding in accept_encoding.unwrap_or_default().split(',') {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q="));
        let is_taken = quality.is_none_or(|q| q.trim().parse::<f32>().is_ok_and(|q| q > 0.0));
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            return is_taken;
        }
        takes_any |= name == "*" && is_taken;
    }
    takes_any
}

#[cfg(test)]
mod tests {
    use super::{CHANNELS, GRAPH, RAW_GRAPH, takes_gzip};

    #[test]
    fn the_type_follows_the_table_of_the_service() {
        let versioned = "application/vnd.redhat.cincinnati.v1+json";
        for (accept, expected) in [
            (None, Some(versioned)),
            (Some(versioned), Some(versioned)),
            (Some("application/json"), Some("application/json")),
            (Some("*"), Some("application/json")),
            (Some("*/*"), Some("application/json")),
            (Some("application/*"), Some("application/json")),
            (Some("application/json, text/plain"), None),
            (Some("application/json;q=0.9"), None),
            (Some("APPLICATION/JSON"), None),
            (Some("text/html"), None),
            (Some(""), None),
        ] {
            let found = GRAPH.negotiate(accept.map(str::as_bytes)).ok();
            assert_eq!(found, expected, "{accept:?}");
        }
        assert_eq!(RAW_GRAPH.negotiate(None), Ok("application/json"));
        assert!(RAW_GRAPH.negotiate(Some(versioned.as_bytes())).is_err());
        assert!(CHANNELS.negotiate(Some(versioned.as_bytes())).is_err());
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (header, expected) in [
            (None, false),
            (Some(""), false),
            (Some("gzip"), true),
            (Some("deflate, GZIP;q=0.5, br"), true),
            (Some("gzip;q=0"), false),
            (Some("identity"), false),
            (Some("*"), true),
            (Some("*;q=0"), false),
            (Some("gzip;q=0, *"), false),
            (Some("gzip;q=many"), false),
        ] {
            assert_eq!(takes_gzip(header), expected, "{header:?}");
        }
    }
}
