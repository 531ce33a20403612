//! Whether a risk applies to a cluster: what the operator concludes from the answers to queries.

use crate::metrics::QueryError;
use crate::promql::{Value, in_decimal, seconds};

use super::errors::in_words;

/// Whether a risk applies to a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// It applies.
    Exposed,
    /// It does not apply.
    NotExposed,
    /// The cluster cannot tell, with the reason in the operator's words.
    Unknown(String),
}

/// An entry of `matchingRules` that clusters understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchingRule<'a> {
    /// It affects all clusters.
    Always,
    /// It affects the clusters for which this query returns 1.
    PromQl(&'a str),
}

impl Exposure {
    /// Decides by the first rule that has an answer. `decide` turns the answer to a query into an
    /// exposure.
    pub fn of_rules<'a, E>(
        rules: impl IntoIterator<Item = MatchingRule<'a>>,
        mut decide: impl FnMut(&'a str) -> Result<Self, E>,
    ) -> Result<Self, E> {
        let mut failures: Vec<String> = Vec::new();
        for rule in rules {
            let MatchingRule::PromQl(query) = rule else { return Ok(Self::Exposed) };
            match decide(query)? {
                Self::Unknown(failure) => failures.push(failure),
                decided => return Ok(decided),
            }
        }
        Ok(if failures.is_empty() { Self::NotExposed } else { Self::Unknown(in_words(&failures)) })
    }

    /// The exposure that follows from an answer at some time. The error says why the cluster's
    /// answer is unknown.
    pub fn of_answer(answer: Result<Value, QueryError>, time: i64) -> Result<Self, QueryError> {
        let value = match answer {
            Ok(value) => value,
            Err(error @ (QueryError::Unsupported(_) | QueryError::NoAnswer(_))) => {
                return Err(error);
            }
            Err(error) => return Ok(Self::Unknown(format!("executing PromQL query: {error}"))),
        };
        Ok(match value {
            Value::Scalar(_) => Self::wrong_type("scalar"),
            Value::Matrix(_) => Self::wrong_type("matrix"),
            Value::Text(text) => Self::Unknown(unread_text(&text, time)),
            Value::Vector(samples) => match samples.as_slice() {
                [(_, 0.0)] => Self::NotExposed,
                [(_, 1.0)] => Self::Exposed,
                [(_, other)] => Self::Unknown(format!(
                    "invalid PromQL result (must be 0 or 1): {}",
                    in_decimal(*other)
                )),
                several => Self::Unknown(format!(
                    "invalid PromQL result length must be one, but is {}",
                    several.len()
                )),
            },
        })
    }

    fn wrong_type(kind: &str) -> Self {
        Self::Unknown(format!("invalid PromQL result type is {kind}, not vector"))
    }
}

/// The error of the operator's client about an answer that is a text. It quotes the end of the
/// answer.
fn unread_text(text: &str, time: i64) -> String {
    let time = seconds(time);
    let text = serde_json::Value::from(text);
    let answer = format!(r#"{{"resultType":"string","result":[{time},{text}]}}"#);
    let (near, wide) = (ending(&answer, 10), ending(&answer, 50));
    format!(
        "executing PromQL query: unmarshalerDecoder: unexpected value type \"string\", \
         error found in #10 byte of ...|{near}|..., bigger context ...|{wide}|..."
    )
}

/// The last bytes of a text.
fn ending(text: &str, bytes: usize) -> String {
    let start = text.len().saturating_sub(bytes);
    String::from_utf8_lossy(&text.as_bytes()[start..]).into_owned()
}
