//! The `version` file: which schema the repository's data follows.

use crate::domain::version::{self, Version};
use crate::text::{SourceId, Span, Spanned};

/// What `version` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaVersion {
    /// The text, without white space around it.
    pub text: Spanned<String>,
    /// The version, when it is one.
    pub version: Option<Version>,
}

impl SchemaVersion {
    pub(super) fn read(file: SourceId, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let trimmed = text.trim_ascii();
        let start = text.len() - text.trim_ascii_start().len();
        let span = Span::new(file, start..start + trimmed.len());
        let version = version::parse(trimmed);
        Some(Self { text: Spanned { value: trimmed.to_owned(), span }, version })
    }

    /// Whether the data promises to use nothing beyond schema 1.0.
    #[must_use]
    pub fn is_1_0(&self) -> bool {
        self.version.as_ref().is_some_and(|v| v.major == 1 && v.minor == 0)
    }
}
