//! Why a text is not a regular expression.

use std::ops::Range;

/// Why a text is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// The bytes at fault.
    pub range: Range<usize>,
    /// The cause in words.
    pub why: String,
}
