//! A digest in the terminal.

use std::io::{self, Write};

use crate::domain::time::day;
use crate::report::{Style, write_line};
use crate::text::printable;

use super::DigestReport;

pub(super) fn write(
    report: &DigestReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (since, until) = (day(report.since.time), day(report.until.time));
    let sections = report.sections();
    let nothing = if sections.is_empty() { ": nothing changed for clusters" } else { "" };
    writeln!(out, "{}{nothing}", style.bold(&format!("From {since} to {until}")))?;
    for section in sections {
        writeln!(out, "\n{}", style.bold(section.heading))?;
        for (sentence, details) in &section.items {
            write_line(style, &format!("  {}", printable(sentence)), 4, out)?;
            for detail in details {
                write_line(style, &format!("    {}", printable(detail)), 6, out)?;
            }
        }
    }
    Ok(())
}
