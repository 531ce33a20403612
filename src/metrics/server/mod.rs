//! A running Prometheus or Thanos, asked over HTTP as the operator of a cluster asks it.

mod access;
mod failure;
mod url;

use std::time::Duration;

use ureq::Agent;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};

use crate::promql::{Value, seconds};
use crate::text::printable;

use super::api::{self, Answer};
use super::clock::now;
use super::error::MetricsError;
use super::query_error::QueryError;
use super::server_request::ServerRequest;
use url::Address;

/// The largest answer, in bytes.
const MOST: u64 = 64 << 20;

/// A server to ask.
pub struct Server {
    address: Address,
    /// The value of the header `Authorization`.
    authorization: Option<String>,
    agent: Agent,
    limit: Duration,
    /// When queries are asked, in milliseconds since 1970.
    pub(super) time: i64,
}

// The token must not get into messages.
impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Prepares to ask, and returns also what the user should know. Nothing is sent yet.
    pub fn open(request: &ServerRequest<'_>) -> Result<(Self, Vec<String>), MetricsError> {
        let address = Address::parse(request.url)?;
        let mut notes = Vec::new();
        let authorization = match request.token_file {
            Some(_) if !address.is_private() => {
                let to = format!("http://{}", address.host);
                return Err(MetricsError::new(format!(
                    "the token is not sent to {to}: everybody on the way could read it"
                ))
                .hint("use a URL that starts with https://"));
            }
            Some(file) => Some(format!("Bearer {}", access::token(file, &mut notes)?)),
            None => None,
        };
        let mut tls = TlsConfig::builder();
        if let Some(file) = request.ca {
            tls = tls.root_certs(RootCerts::new_with_certs(&access::authorities(file)?));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(request.limit))
            .tls_config(tls.build())
            .http_status_as_error(false)
            // A redirect could lead the token elsewhere.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("exitpath/", env!("CARGO_PKG_VERSION")));
        // What is on this machine is not asked through a proxy on another one.
        let config = if address.is_loopback() { config.proxy(None) } else { config };
        let agent = config.build().new_agent();
        let time = request.time.unwrap_or_else(now);
        Ok((Self { address, authorization, agent, limit: request.limit, time }, notes))
    }

    /// The answer to a query.
    pub(super) fn ask(&self, query: &str) -> Result<Value, QueryError> {
        let mut request = self.agent.get(self.address.of_query(query, &seconds(self.time)));
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        let host = &self.address.host;
        let failed = |error| QueryError::NoAnswer(failure::words(host, self.limit, &error));
        let mut response = request.call().map_err(failed)?;
        let body = response.body_mut().with_config().limit(MOST).read_to_vec().map_err(failed)?;
        self.read(&response, &String::from_utf8_lossy(&body))
    }

    /// What an answer means. What the server makes of us is not what it makes of a cluster.
    fn read<T>(&self, response: &Response<T>, body: &str) -> Result<Value, QueryError> {
        let host = &self.address.host;
        let status = response.status().as_u16();
        let refused = |kind: &str, words| Err(QueryError::Refused { kind: kind.into(), words });
        match (status, api::read(body)) {
            (300..400, _) => Err(QueryError::NoAnswer(redirect(host, response))),
            (200..300 | 400 | 422, Ok(Answer::Error { kind, words })) => refused(&kind, words),
            (200..300, Ok(answer)) => {
                value(answer).ok_or_else(|| not_an_answer(host, "it does not answer a query"))
            }
            (200..300, Err(why)) => Err(not_an_answer(host, &why)),
            _ => Err(QueryError::NoAnswer(format!("{host} {}", refusal(status)))),
        }
    }
}

/// What to do about a status of HTTP.
fn refusal(status: u16) -> String {
    let why = match status {
        401 => ": the token is missing or not valid; name its file with `--token-file`",
        403 => ": the token may not query; it needs a role such as `cluster-monitoring-view`",
        404 => ": there is no query API at this address",
        _ => "",
    };
    format!("answers with HTTP status {status}{why}")
}

/// The value of a query, if it is one.
fn value(answer: Answer) -> Option<Value> {
    Some(match answer {
        Answer::Scalar(point) => Value::Scalar(point.value),
        Answer::Text(text) => Value::Text(text),
        Answer::Vector(samples) => {
            Value::Vector(samples.into_iter().map(|(labels, p)| (labels, p.value)).collect())
        }
        Answer::Matrix(series) => Value::Matrix(series),
        Answer::Series(_) | Answer::Error { .. } => return None,
    })
}

fn not_an_answer(host: &str, why: &str) -> QueryError {
    QueryError::NoAnswer(format!("what {host} sends is not an answer of Prometheus: {why}"))
}

fn redirect<T>(host: &str, response: &Response<T>) -> String {
    let location = response.headers().get("location").and_then(|value| value.to_str().ok());
    let to = location.map_or(String::new(), |to| {
        let shown: String = to.chars().take(200).collect();
        format!(" to {}", printable(&shown))
    });
    format!("{host} redirects{to}: exitpath does not follow, because the token may not go there")
}
