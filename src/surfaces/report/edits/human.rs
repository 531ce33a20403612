//! New texts of files, in the terminal.

use std::io::{self, Write};

use crate::domain::Format;
use crate::report::origins::in_words;
use crate::report::printed::Printed;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::counted;

use super::{EditsReport, Written, action};

pub(super) fn write(report: &EditsReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
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
        writeln!(out, "\n  from: {}", printable(pattern))?;
        for minor in reach {
            write_line(style, &format!("    {}: {}", minor.minor, in_words(minor)), 6, out)?;
        }
    }
    for note in &report.plan.notes {
        write_line(style, &format!("  note: {}", printable(note)), 4, out)?;
    }
    if let Some(risk) = report.risk {
        writeln!(out)?;
        risk.write(Format::Human, style, out)?;
    }
    // It begins with an empty line only if it has no finding to show.
    let mut check = Vec::new();
    report.check.write(Format::Human, style, &mut check)?;
    let start = check.iter().take_while(|byte| **byte == b'\n').count();
    writeln!(out)?;
    out.write_all(&check[start..])
}
