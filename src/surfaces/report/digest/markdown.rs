//! A digest as Markdown, for a mail or a page.

use std::io::{self, Write};

use crate::domain::time::day;
use crate::report::markup::prose;

use super::DigestReport;

pub(super) fn write(report: &DigestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (since, until) = (day(report.since.time), day(report.until.time));
    writeln!(out, "# Update graph: {since} to {until}")?;
    let sections = report.sections();
    if sections.is_empty() {
        writeln!(out, "\nNothing changed for clusters.")?;
    }
    for section in sections {
        writeln!(out, "\n## {}\n", section.heading)?;
        for (sentence, details) in &section.items {
            writeln!(out, "- {}", prose(sentence))?;
            for detail in details {
                writeln!(out, "  - {}", prose(detail))?;
            }
        }
    }
    Ok(())
}
