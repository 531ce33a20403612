//! Writes JSON, and escapes everything that must not reach terminals.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::printable_json;

/// Writes a document on several lines, for people and programs.
pub(crate) fn write_json<T: Serialize>(document: &T, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", printable_json(&serde_json::to_string_pretty(document)?))
}

/// Writes a document on one line, because it can be large.
pub(crate) fn write_json_line<T: Serialize>(document: &T, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", printable_json(&serde_json::to_string(document)?))
}
