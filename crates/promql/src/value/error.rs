//! Why a query has no value.

use super::super::regex::TooLarge;

/// Why a query has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// Prometheus fails, too, with these words.
    Execution(String),
    /// Prometheus may have an answer, but this evaluator does not support the query.
    Unsupported(String),
}

impl EvalError {
    pub(super) fn execution(words: impl Into<String>) -> Self {
        Self::Execution(words.into())
    }

    pub(super) fn unsupported(why: impl Into<String>) -> Self {
        Self::Unsupported(why.into())
    }
}

impl From<TooLarge> for EvalError {
    fn from(_: TooLarge) -> Self {
        Self::unsupported("a regular expression is too large")
    }
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Execution(words) => f.write_str(words),
            Self::Unsupported(why) => write!(f, "cannot evaluate: {why}"),
        }
    }
}

impl std::error::Error for EvalError {}

/// Two series of a result have the same labels.
pub(super) fn same_labels() -> EvalError {
    EvalError::execution("vector cannot contain metrics with the same labelset")
}
