//! JSON, with everything escaped that terminals must not get.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::printable_json;

/// A document over several lines, for people and programs.
pub(crate) fn write_json<T: Serialize>(document: &T, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", printable_json(&serde_json::to_string_pretty(document)?))
}

/// A document on one line: those that can be large.
pub(crate) fn write_json_line<T: Serialize>(document: &T, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", printable_json(&serde_json::to_string(document)?))
}
