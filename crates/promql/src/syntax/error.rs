//! Why a text is not a query.

use std::ops::Range;

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The bytes at fault. Empty at the end of the text if something is missing.
    pub range: Range<usize>,
    /// The cause in words.
    pub message: String,
    /// The bracket that is not closed, if that is the problem.
    pub opened: Option<Range<usize>>,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (byte {})", self.message, self.range.start)
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(super) fn at(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), opened: None }
    }

    /// The text ends at `end` without the bracket that closes the one at `open`.
    pub(super) fn unclosed(end: usize, open: usize, message: &str) -> Self {
        Self { range: end..end, message: message.into(), opened: Some(open..open + 1) }
    }
}
