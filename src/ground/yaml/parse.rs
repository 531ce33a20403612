//! Reads YAML: plain texts fast, and all others with the library.

use super::library::{Rest, read};
use super::plain::read_plain;
use super::{Document, SyntaxError};

/// Reads the first document of `source`. Further documents must also be valid YAML.
pub fn parse(source: &str) -> Result<Document, SyntaxError> {
    read_plain(source).map_or_else(|| read(source, Rest::IsRead), Ok)
}

/// Reads the first document of `source`, whatever follows.
pub(crate) fn parse_first(source: &str) -> Result<Document, SyntaxError> {
    read_plain(source).map_or_else(|| read(source, Rest::IsIgnored), Ok)
}

/// Like [`parse`], but always with the library.
#[cfg(feature = "testing")]
pub fn parse_with_library(source: &str) -> Result<Document, SyntaxError> {
    read(source, Rest::IsRead)
}
