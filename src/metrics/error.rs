//! Why there are no series to ask.

use std::io;

/// Why there are no series to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricsError {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: Option<String>,
}

impl MetricsError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    pub(super) fn unreadable(name: &str, error: &io::Error) -> Self {
        Self::new(format!("cannot read {name}: {}", words(error)))
    }
}

/// The system's message, without Rust's "(os error 13)".
pub(super) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
