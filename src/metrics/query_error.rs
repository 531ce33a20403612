//! Why a query has no answer.

use crate::promql::{self, EvalError};

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// The query is not valid.
    Syntax(promql::Error),
    /// Prometheus answers with an error of this type, and these words.
    Refused {
        /// The type.
        kind: String,
        /// The words.
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
    /// The type of the error, as the API of Prometheus names it.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::Syntax(_) => "bad_data",
            Self::Refused { kind, .. } => kind,
            Self::Unsupported(_) | Self::NoAnswer(_) => "unavailable",
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Syntax(error) => &error.message,
            Self::Refused { words, .. } | Self::Unsupported(words) | Self::NoAnswer(words) => words,
        }
    }
}

/// As a cluster words it: `execution: vector cannot contain metrics with the same labelset`.
impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind(), self.words())
    }
}
