//! New texts of files, in the terminal.

use std::io::{self, Write};

use crate::domain::Format;
use crate::report::origins::in_words;
use crate::report::printed::Printed;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::counted;

use super::{RiskEditReport, Written, action};

pub(super) fn write(
    report: &RiskEditReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let files = counted(report.plan.files.len(), "file");
    let title = match &report.written {
        Written::No => format!("nothing is written yet: {files} would change"),
        Written::Refused => format!("nothing is committed: {files} would have errors"),
        Written::Files => format!("wrote {files}"),
        Written::Commit(id) => {
            let id = id.get(..10).unwrap_or(id);
            format!("committed {files} as {id}: {}", printable(&report.plan.subject))
        }
    };
    writeln!(out, "{}", style.bold(&title))?;
    for file in &report.plan.files {
        let sign = match action(file) {
            "create" => '+',
            "remove" => '-',
            _ => '~',
        };
        write_line(style, &format!("  {sign} {}", printable(&file.path)), 4, out)?;
    }
    if style.quiet {
        return Ok(());
    }
    for (pattern, reach) in &report.patterns {
        let origins: Vec<String> = reach.iter().map(in_words).collect();
        let origins = if origins.is_empty() { "no release".to_owned() } else { origins.join("; ") };
        let line = format!("  from: {} matches {origins}", printable(pattern));
        write_line(style, &line, 4, out)?;
    }
    for note in &report.plan.notes {
        write_line(style, &format!("  note: {}", printable(note)), 4, out)?;
    }
    if report.risk.is_some() || !report.check.outcome.findings.is_empty() {
        writeln!(out)?;
    }
    if let Some(risk) = report.risk {
        risk.write(Format::Human, style, out)?;
        writeln!(out)?;
    }
    report.check.write(Format::Human, style, out)
}
