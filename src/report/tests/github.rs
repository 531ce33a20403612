//! Workflow commands that GitHub Actions turns into annotations.

use std::io::{self, Write};

use crate::report::workflow_commands::{property, text};
use crate::text::Span;

use super::{TestReport, failure, place};

pub(super) fn write(report: &TestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for file in &report.files {
        match &file.results {
            Ok(results) => {
                for result in results {
                    if let Some(message) = failure(result) {
                        write_error(report, file.path, Some(place(result)), &message, out)?;
                    }
                }
            }
            Err(faults) => {
                for fault in faults {
                    write_error(report, file.path, fault.place.as_ref(), &fault.message, out)?;
                }
            }
        }
    }
    writeln!(out, "exitpath: {}", report.verdict())
}

fn write_error(
    report: &TestReport<'_>,
    path: &str,
    place: Option<&Span>,
    message: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "::error file={}", property(&format!("{}{path}", report.prefix)))?;
    if let Some(place) = place {
        let start = report.position(place);
        write!(out, ",line={},col={}", start.line, start.column)?;
    }
    // The log shows only the text.
    let line = format!("{}: {message}", report.location(path, place));
    writeln!(out, ",title=exitpath test::{}", text(&line))
}
