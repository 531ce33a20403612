//! Why there are no series.

use std::io;

use crate::http::{HttpError, system_words};

/// Why there are no series.
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
        Self::new(format!("cannot read {name}: {}", system_words(error)))
    }
}

impl From<HttpError> for MetricsError {
    fn from(HttpError { what, hint }: HttpError) -> Self {
        Self { what, hint }
    }
}
