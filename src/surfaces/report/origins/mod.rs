//! The report of `exitpath from`: a pattern, and the releases that it matches.

mod human;
mod json;

pub(super) use human::in_words;

use crate::domain::Format;
use crate::origins::{KnownReleases, Origins};
use crate::report::printed::{Printed, Writer};

/// A pattern, and what it matches.
#[derive(Debug)]
pub(crate) struct OriginsReport<'r> {
    pub pattern: &'r str,
    /// A pattern for exactly the same releases, if it is another one.
    pub exact: Option<&'r str>,
    pub origins: &'r Origins,
    pub known: &'r KnownReleases,
}

impl Printed for OriginsReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| human::write(report, style, out),
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}
