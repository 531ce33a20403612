//! Changes of texts.

use super::Span;

/// Edits that fix a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What they do.
    pub message: String,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The old text.
    pub span: Span,
    /// The new text.
    pub text: String,
}
