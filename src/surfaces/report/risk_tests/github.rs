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
                    let at = (file.path, Some(place(result)));
                    if let Some(mut message) = failure(result) {
                        if let TestOutcome::Differs { disagreements, .. } = &result.outcome {
                            let shown = disagreements.iter().map(Disagreement::sentence);
                            let shown: Vec<String> = shown.collect();
                            message = format!("{message}: {}", shown.join("; "));
                        }
                        write_command("error", report, at, &message, out)?;
                    }
                    if let Some(doubt) = doubt(result) {
                        write_command("warning", report, at, &doubt, out)?;
                    }
                }
            }
            Err(faults) => {
                for fault in faults {
                    let place = (file.path, fault.place.as_ref());
                    write_command("error", report, place, &fault.message, out)?;
                }
            }
        }
    }
    for unshown in &report.unshown {
        let place = (report.sources.path(unshown.place.source), Some(&unshown.place));
        write_command("warning", report, place, &unshown.message(), out)?;
    }
    writeln!(out, "exitpath: {}", report.verdict())
}

fn write_command(
    command: &str,
    report: &TestReport<'_>,
    (path, place): (&str, Option<&Span>),
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
