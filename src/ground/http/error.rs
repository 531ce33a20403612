//! Why a server does not answer.

/// Why a request has no answer, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "live"), allow(dead_code, reason = "there is no server to ask"))]
pub(crate) enum GetError {
    /// The server does not answer.
    NoAnswer(String),
    /// The answer is too large.
    TooLarge(String),
}

impl GetError {
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::NoAnswer(words) | Self::TooLarge(words) => words,
        }
    }
}
