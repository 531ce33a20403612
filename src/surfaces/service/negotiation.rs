//! Decides which media type and which encoding a client gets.

use crate::channel_list;

use super::refusal::Refusal;

/// What an endpoint can send, and how it reads the header `Accept`.
#[derive(Clone, Copy, Debug)]
pub(super) enum MediaTypes {
    /// A versioned type or JSON. Like the real service, it compares the whole header: it
    /// understands neither lists nor `q`.
    Graph,
    /// Only JSON. The header is compared as for a graph. The graph for the policy engine has no
    /// versioned type.
    RawGraph,
    /// A versioned type or JSON, negotiated as HTTP specifies.
    Channels,
}

const JSON: &str = "application/json";
const GRAPH: &str = "application/vnd.redhat.cincinnati.v1+json";

impl MediaTypes {
    /// The media type for a request with these `Accept` headers.
    pub(super) fn negotiate(self, accept: &[&[u8]]) -> Result<&'static str, Refusal> {
        match self {
            Self::Graph => whole_header(accept, Some(GRAPH)),
            Self::RawGraph => whole_header(accept, None),
            Self::Channels => preferred(accept, [channel_list::MEDIA_TYPE, JSON]),
        }
    }
}

fn whole_header(
    accept: &[&[u8]],
    versioned: Option<&'static str>,
) -> Result<&'static str, Refusal> {
    match (accept.first().copied(), versioned) {
        (None, versioned) => Ok(versioned.unwrap_or(JSON)),
        (Some(b"application/json" | b"*" | b"*/*" | b"application/*"), _) => Ok(JSON),
        (Some(accept), Some(versioned)) if accept == versioned.as_bytes() => Ok(versioned),
        _ => Err(Refusal::NotAcceptable),
    }
}

/// The type that the client prefers. Of equally preferred types, the one that it names more
/// specifically, and otherwise the last.
fn preferred(accept: &[&[u8]], types: [&'static str; 2]) -> Result<&'static str, Refusal> {
    let ranges: Vec<MediaRange> = accept
        .iter()
        .filter_map(|header| std::str::from_utf8(header).ok())
        .flat_map(|header| header.split(','))
        .filter_map(MediaRange::parse)
        .collect();
    // Without a header, or with an empty one, the client accepts anything.
    if accept.iter().all(|header| header.trim_ascii().is_empty()) {
        return Ok(types[0]);
    }
    let liked = types.into_iter().filter_map(|media_type| {
        let fitting = ranges.iter().filter(|range| range.fits(media_type));
        let exact = fitting.max_by_key(|range| range.exactness())?;
        (exact.thousandths > 0).then(|| ((exact.thousandths, exact.exactness()), media_type))
    });
    let best = liked.max_by_key(|(rank, _)| *rank);
    best.map(|(_, media_type)| media_type).ok_or(Refusal::NotAcceptable)
}

/// A part of the header `Accept`, such as `application/*;q=0.5`.
struct MediaRange {
    kind: String,
    subtype: String,
    /// The preference of the client, from 0 (not accepted) to 1000.
    thousandths: u16,
}

impl MediaRange {
    /// None if the text is not a media range.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        // Some clients write a single star.
        let (kind, subtype) = if name == "*" { ("*", "*") } else { name.split_once('/')? };
        let quality = parts.filter_map(|part| part.split_once('='));
        let quality = quality.filter(|(name, _)| name.trim_end().eq_ignore_ascii_case("q"));
        let quality = quality.map(|(_, value)| value.trim()).next();
        Some(Self {
            kind: kind.to_owned(),
            subtype: subtype.to_owned(),
            thousandths: quality.map_or(Some(1000), thousandths)?,
        })
    }

    fn fits(&self, media_type: &str) -> bool {
        let Some((kind, subtype)) = media_type.split_once('/') else { return false };
        match (self.kind.as_str(), self.subtype.as_str()) {
            ("*", "*") => true,
            (own, "*") => own == kind,
            (own_kind, own_subtype) => own_kind == kind && own_subtype == subtype,
        }
    }

    fn exactness(&self) -> u8 {
        u8::from(self.kind != "*") + u8::from(self.subtype != "*")
    }
}

/// Parses a quality such as `0.25`, with at most three digits after the point.
fn thousandths(quality: &str) -> Option<u16> {
    let (whole, digits) = quality.split_once('.').unwrap_or((quality, ""));
    let is_number = digits.len() <= 3 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let parsed: u16 = format!("{digits:0<3}").parse().ok().filter(|_| is_number)?;
    match whole {
        "0" => Some(parsed),
        "1" if parsed == 0 => Some(1000),
        _ => None,
    }
}

/// Whether a client accepts gzip, according to its header `Accept-Encoding`.
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
    use super::{MediaTypes, takes_gzip};

    fn answer(types: MediaTypes, accept: &[&str]) -> Option<&'static str> {
        let headers: Vec<&[u8]> = accept.iter().map(|header| header.as_bytes()).collect();
        types.negotiate(&headers).ok()
    }

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
            let headers: Vec<&str> = accept.into_iter().collect();
            assert_eq!(answer(MediaTypes::Graph, &headers), expected, "{accept:?}");
        }
        assert_eq!(answer(MediaTypes::RawGraph, &[]), Some("application/json"));
        assert_eq!(answer(MediaTypes::RawGraph, &[versioned]), None);
    }

    #[test]
    fn the_channel_list_is_negotiated_as_http_does() {
        const V1: &str = "application/vnd.redhat.cincinnati.channels.v1+json";
        const V2: &str = "application/vnd.redhat.cincinnati.channels.v2+json";
        const JSON: &str = "application/json";
        let list = |parts: &[&str]| parts.join(", ");
        for (accept, expected) in [
            (V1.to_owned(), Some(V1)),
            (JSON.to_owned(), Some(JSON)),
            (String::new(), Some(V1)),
            ("*".to_owned(), Some(JSON)),
            ("*/*".to_owned(), Some(JSON)),
            ("application/*".to_owned(), Some(JSON)),
            (list(&[V2, &format!("{V1};q=0.5")]), Some(V1)),
            (list(&[&format!("{V1};q=0.5"), JSON]), Some(JSON)),
            (list(&[&format!("{V1} ; Q=0.9"), "application/json;q=0.85"]), Some(V1)),
            (list(&[V1, "*/*"]), Some(V1)),
            (list(&["*/*", "application/json;q=0"]), Some(V1)),
            (list(&[V1, JSON]), Some(JSON)),
            (list(&["text/html", "application/*;q=0.1"]), Some(JSON)),
            ("APPLICATION/JSON; charset=utf-8".to_owned(), Some(JSON)),
            ("application/json;q=0".to_owned(), None),
            ("application/json;q=2".to_owned(), None),
            ("*/json".to_owned(), None),
            ("json".to_owned(), None),
            (V2.to_owned(), None),
            ("text/html".to_owned(), None),
        ] {
            assert_eq!(answer(MediaTypes::Channels, &[&accept]), expected, "{accept}");
        }
        assert_eq!(answer(MediaTypes::Channels, &[]), Some(V1));
        assert_eq!(answer(MediaTypes::Channels, &["text/html", JSON]), Some(JSON), "two headers");
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
