//! Why a query has no answer.

use crate::promql::{self, EvalError};

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// The query is not valid. The line and the column of the error, from 1.
    Syntax(promql::Error, usize, usize),
    /// Prometheus answers with an error.
    Refused {
        /// The type of the error: `execution`, `timeout`, or another one.
        kind: String,
        /// What is wrong.
        words: String,
    },
    /// Prometheus may have an answer, but exitpath does not calculate it.
    Unsupported(String),
    /// The server gives no answer.
    NoAnswer(String),
}

impl From<EvalError> for QueryError {
    fn from(error: EvalError) -> Self {
        match error {
            EvalError::Execution(words) => Self::Refused { kind: "execution".into(), words },
            EvalError::Unsupported(why) => Self::Unsupported(why),
        }
    }
}

impl QueryError {
    pub(crate) fn syntax(error: promql::Error, text: &str) -> Self {
        let before = text.get(..error.range.start).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let lines = before.matches('\n').count();
        Self::Syntax(error, lines + 1, line.chars().count() + 1)
    }

    /// The type of the error, as the API of Prometheus names it.
    pub fn kind(&self) -> &str {
        match self {
            Self::Syntax(..) => "bad_data",
            Self::Refused { kind, .. } => kind,
            Self::Unsupported(_) | Self::NoAnswer(_) => "unavailable",
        }
    }

    /// What is wrong.
    pub fn words(&self) -> &str {
        match self {
            Self::Syntax(error, ..) => &error.message,
            Self::Refused { words, .. } | Self::Unsupported(words) | Self::NoAnswer(words) => words,
        }
    }
}

/// The error in the words of a cluster: `execution: vector cannot contain metrics with the same
/// labelset`.
impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, words) = (self.kind(), self.words());
        match self {
            // The rest of the message is omitted, because Prometheus has its own words.
            Self::Syntax(_, line, column) => {
                write!(f, "{kind}: invalid parameter \"query\": {line}:{column}: parse error: …")
            }
            _ => write!(f, "{kind}: {words}"),
        }
    }
}
