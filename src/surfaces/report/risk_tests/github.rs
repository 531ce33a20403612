//! Workflow commands that GitHub Actions turns into annotations.

use std::io::{self, Write};

use crate::report::workflow_commands::{property, text};
use crate::risks::{Disagreement, TestOutcome};
use crate::text::Span;

use super::{TestReport, doubt, failure, place};

pub(super) fn write(report: &TestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for file in &report.files {
        match &file.results {
            Ok(results) => {
                for result in results {
                    let (path, place) = (file.path, Some(place(result)));
                    if let Some(mut message) = failure(result) {
                        if let TestOutcome::Differs { disagreements, .. } = &result.outcome {
                            let shown = disagreements.iter().map(Disagreement::sentence);
                            let shown: Vec<String> = shown.collect();
                            message = format!("{message}: {}", shown.join("; "));
                        }
                        write_command("error", report, path, place, &message, out)?;
                    }
                    if let Some(doubt) = doubt(result) {
                        write_command("warning", report, path, place, &doubt, out)?;
                    }
                }
            }
            Err(faults) => {
                for fault in faults {
                    let place = fault.place.as_ref();
                    write_command("error", report, file.path, place, &fault.message, out)?;
                }
            }
        }
    }
    for unshown in &report.unshown {
        let path = report.sources.path(unshown.place.source);
        write_command("warning", report, path, Some(&unshown.place), &unshown.message(), out)?;
    }
    writeln!(out, "exitpath: {}", report.verdict())
}

fn write_command(
    command: &str,
    report: &TestReport<'_>,
    path: &str,
    place: Option<&Span>,
    message: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "::{command} file={}", property(&format!("{}{path}", report.prefix)))?;
    if let Some(place) = place {
        let start = report.position(place);
        write!(out, ",line={},col={}", start.line, start.column)?;
    }
    // The log shows only this text.
    let line = format!("{}: {message}", report.location(path, place));
    writeln!(out, ",title=exitpath test::{}", text(&line))
}
