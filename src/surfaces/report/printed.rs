//! What all reports have in common: writers for some formats.

use std::io::{self, Write};

use crate::domain::{Format, Named};

use super::Style;

/// Writes a report in one format.
pub type Writer<R> = fn(&R, Style, &mut dyn Write) -> io::Result<()>;

/// A report, and the formats that it has.
pub trait Printed: Sized {
    /// The writer of a format. None if the report does not have this format.
    fn writer(format: Format) -> Option<Writer<Self>>;

    /// The formats of the report.
    fn formats() -> Vec<Format> {
        let is_known = |format: &Format| Self::writer(*format).is_some();
        Format::ALL.iter().copied().filter(is_known).collect()
    }

    fn write(&self, format: Format, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let writer = Self::writer(format).ok_or_else(|| {
            io::Error::other(format!("there is no format `{}` of this report", format.name()))
        })?;
        writer(self, style, out)
    }
}
