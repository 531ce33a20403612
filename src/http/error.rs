//! Why a server cannot be asked, or does not answer.

use std::io;

/// Why a server cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HttpError {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: Option<String>,
}

#[cfg_attr(not(feature = "live"), allow(dead_code, reason = "there is no server to ask"))]
impl HttpError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    pub(super) fn unreadable(name: &str, error: &io::Error) -> Self {
        Self::new(format!("cannot read {name}: {}", system_words(error)))
    }
}

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

/// The system's message, without Rust's "(os error 13)".
pub(crate) fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
