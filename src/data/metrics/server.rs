//! A running Prometheus or Thanos. It is asked over HTTP, as the operator of a cluster asks it.

use std::fmt::Write;

use crate::http::{Client, ClientRequest, HttpAnswer, ServerKind};
use crate::promql::{Value, seconds};
use crate::text::{Failure, printable};

use super::api::{self, ApiAnswer, Reply};
use super::clock::now;
use super::query_error::QueryError;
use super::server_request::ServerRequest;

/// The largest answer, in bytes.
const MOST: u64 = 64 << 20;

const PROMETHEUS: ServerKind = ServerKind {
    name: "a Prometheus",
    examples: "https://prometheus.example.com or http://localhost:9090",
};

/// A server to ask.
#[derive(Debug)]
pub struct Server {
    client: Client,
    /// The time of the queries, in milliseconds since 1970.
    pub(super) time: i64,
}

impl Server {
    /// Prepares the server. Also returns notes for the user. Sends nothing yet.
    pub fn open(request: &ServerRequest<'_>) -> Result<(Self, Vec<String>), Failure> {
        let ServerRequest { url, token_file, ca, limit, .. } = *request;
        let request_to = ClientRequest { url, kind: PROMETHEUS, token_file, ca, limit, most: MOST };
        let (client, notes) = Client::open(&request_to)?;
        let time = request.time.unwrap_or_else(now);
        Ok((Self { client, time }, notes))
    }

    /// The answer to a query.
    pub(super) fn ask(&self, query: &str) -> Result<Value, QueryError> {
        let url = url_of(self.client.url(), query, &seconds(self.time));
        let answer = self.client.get(&url, None);
        let answer = answer.map_err(|error| QueryError::NoAnswer(error.words().to_owned()))?;
        self.read(&answer)
    }

    /// Interprets an answer. If the server rejects our request, that says nothing about what a
    /// cluster would get.
    fn read(&self, answer: &HttpAnswer) -> Result<Value, QueryError> {
        let host = self.client.host();
        let status = answer.status;
        let refused = |kind: &str, words| Err(QueryError::Refused { kind: kind.into(), words });
        match (status, api::read(&String::from_utf8_lossy(&answer.body))) {
            (300..400, _) => Err(QueryError::NoAnswer(redirect(host, answer))),
            (200..300 | 400 | 422, Ok(Reply { answer: ApiAnswer::Error { kind, words }, .. })) => {
                refused(&kind, words)
            }
            // What is missing may be in the part of the answer that is missing.
            (200..300, Ok(Reply { warnings, .. })) if !warnings.is_empty() => {
                Err(QueryError::NoAnswer(partial(host, &warnings)))
            }
            (200..300, Ok(Reply { answer, .. })) => {
                value(answer).ok_or_else(|| not_an_answer(host, "it does not answer a query"))
            }
            (200..300, Err(why)) => Err(not_an_answer(host, &why)),
            _ => Err(QueryError::NoAnswer(format!("{host} {}", refusal(status)))),
        }
    }
}

/// What to do about an HTTP status.
fn refusal(status: u16) -> String {
    let why = match status {
        401 => ": the token is missing or not valid; name its file with `--token-file`",
        403 => ": the token may not query; it needs a role such as `cluster-monitoring-view`",
        404 => ": there is no query API at this address",
        _ => "",
    };
    format!("answers with HTTP status {status}{why}")
}

/// The value of a query in an answer. None if the answer is not about a query.
fn value(answer: ApiAnswer) -> Option<Value> {
    Some(match answer {
        ApiAnswer::Scalar(point) => Value::Scalar(point.value),
        ApiAnswer::Text(text) => Value::Text(text),
        ApiAnswer::Vector(samples) => {
            Value::Vector(samples.into_iter().map(|(labels, p)| (labels, p.value)).collect())
        }
        ApiAnswer::Matrix(series) => Value::Matrix(series),
        ApiAnswer::Series(_) | ApiAnswer::Error { .. } => return None,
    })
}

fn not_an_answer(host: &str, why: &str) -> QueryError {
    QueryError::NoAnswer(format!("what {host} sends is not an answer of Prometheus: {why}"))
}

/// The message that an answer may be incomplete, with the words of the server.
fn partial(host: &str, warnings: &[String]) -> String {
    let words = api::quoted(warnings);
    format!(
        "the answer of {host} may be only a part, so it says nothing about the cluster: it warns {words}"
    )
}

fn redirect(host: &str, answer: &HttpAnswer) -> String {
    let to = answer.location.as_deref();
    let to = to.map_or(String::new(), |to| format!(" to {}", printable(to)));
    format!("{host} redirects{to}: exitpath does not follow, because the token may not go there")
}

/// The URL of a query at a time in seconds. `address` can be that of the server or of its API.
fn url_of(address: &str, query: &str, time: &str) -> String {
    let api = address.strip_suffix("/query").filter(|api| api.ends_with("/api/v1"));
    let base = api.unwrap_or(address);
    let base = base.strip_suffix("/api/v1").unwrap_or(base);
    let mut url = format!("{base}/api/v1/query?time={time}&query=");
    for byte in query.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}
