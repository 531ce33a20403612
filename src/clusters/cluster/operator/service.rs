//! How the operator asks the update service.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::Refusal;
use super::super::answer::ServiceAnswer;
use super::super::object::ClusterVersion;
use crate::go::{quoted, url};

/// The update service that clusters ask if nothing else is set.
const DEFAULT: &str = "https://api.openshift.com/api/upgrades_info/v1/graph";

/// A question to the update service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The complete URL.
    pub url: String,
    /// The parameters of the query string.
    pub parameters: BTreeMap<String, Vec<String>>,
}

/// The response of the update service.
#[cfg_attr(not(feature = "testing"), expect(dead_code, reason = "commands read the answer first"))]
#[derive(Clone, Debug)]
pub enum Response {
    /// An answer that is already parsed.
    Read(ServiceAnswer),
    /// A response over HTTP.
    Http {
        /// The status.
        status: u16,
        /// The body.
        body: String,
    },
    /// No response, with the reason.
    Unreachable(String),
}

/// The address of the update service. Empty for the default service.
pub(super) fn address<'a>(cluster: &'a ClusterVersion, flag: Option<&'a str>) -> &'a str {
    flag.unwrap_or(&cluster.spec.upstream)
}

impl Request {
    pub(super) fn new(
        address: &str,
        architecture: &str,
        channel: &str,
        cluster_id: &str,
        version: &str,
    ) -> Self {
        let address = if address.is_empty() { DEFAULT } else { address };
        let address = address.split_once('#').map_or(address, |(address, _)| address);
        let (base, query) = address.split_once('?').unwrap_or((address, ""));
        let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';')) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let (Some(name), Some(value)) = (decoded(name), decoded(value)) {
                parameters.entry(name).or_default().push(value);
            }
        }
        let ours = [
            ("arch", architecture),
            ("channel", channel),
            ("id", cluster_id),
            ("version", version),
        ];
        for (name, value) in ours {
            parameters.entry(name.into()).or_default().push(value.into());
        }
        let pairs = parameters.iter().flat_map(|(name, values)| {
            values.iter().map(move |value| format!("{}={}", encoded(name), encoded(value)))
        });
        let query = pairs.collect::<Vec<_>>().join("&");
        Self { url: format!("{base}?{query}"), parameters }
    }

    /// Why the request cannot be sent at all. None if it can.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let (scheme, host) = url::scheme_and_host(&self.url);
        let words = if !["http", "https"].contains(&scheme.as_str()) {
            format!("unsupported protocol scheme {}", quoted(&scheme))
        } else if host.is_empty() {
            "http: no Host in request URL".to_owned()
        } else {
            return None;
        };
        Some(self.unreachable(&words))
    }

    /// Reads the answer. The error says why the operator has no updates.
    pub(super) fn answer(&self, response: Response) -> Result<ServiceAnswer, Refusal> {
        match response {
            Response::Read(answer) => Ok(answer),
            Response::Http { status: 200, body } => {
                ServiceAnswer::parse(&body).map_err(Refusal::invalid)
            }
            Response::Http { status, .. } => {
                Err(Refusal::while_asking("ResponseFailed", unexpected_status(status)))
            }
            Response::Unreachable(words) => Err(self.unreachable(&words)),
        }
    }

    fn unreachable(&self, words: &str) -> Refusal {
        Refusal::while_asking("RemoteFailed", get_failed(&self.url, words))
    }
}

/// The operator's message if a request gets no response.
pub(crate) fn get_failed(url: &str, words: &str) -> String {
    format!("Get {}: {words}", quoted(url))
}

/// The operator's message if the status of a response is not 200.
pub(crate) fn unexpected_status(status: u16) -> String {
    format!("unexpected HTTP status: {status} {}", status_text(status))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
                let digits = std::str::from_utf8(&digits).ok().filter(|_| is_hex)?;
                u8::from_str_radix(digits, 16).ok()?
            }
            byte => byte,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            byte if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => {
                out.push(byte.into());
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// The text that belongs to an HTTP status.
fn status_text(status: u16) -> &'static str {
    match status {
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        408 => "Request Timeout",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}
