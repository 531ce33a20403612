//! The file `version`: the schema version of the repository's data.

use crate::domain::version::{self, Version};
use crate::text::{SourceId, Span, Spanned};

/// The content of `version`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaVersion {
    /// The text without surrounding white space.
    pub text: Spanned<String>,
    /// The version, if the text is valid.
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

    /// Whether the service builds graphs from data with this version.
    pub fn is_supported(&self) -> bool {
        self.version.as_ref().is_some_and(|version| version.major == 1)
    }

    /// Whether the data must only use schema 1.0.
    pub fn is_1_0(&self) -> bool {
        self.version.as_ref().is_some_and(|v| v.major == 1 && v.minor == 0)
    }
}
