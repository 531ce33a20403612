//! Workflow commands that GitHub Actions turns into annotations.

use std::io::{self, Write};

use crate::domain::Severity;
use crate::report::workflow_commands::{property, text};

use super::TestReport;

pub(super) fn write(report: &TestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in report.tested.problems() {
        let command = match problem.severity {
            Severity::Error => "error",
            Severity::Warning | Severity::Info => "warning",
        };
        let path = report.sources.path(problem.file);
        write!(out, "::{command} file={}", property(&format!("{}{path}", report.prefix)))?;
        if let Some(place) = &problem.place {
            let start = report.position(place);
            write!(out, ",line={},col={}", start.line, start.column)?;
        }
        // The log shows only this text.
        let location = report.location(path, problem.place.as_ref());
        let line = format!("{location}: {}", problem.message);
        writeln!(out, ",title=exitpath test::{}", text(&line))?;
    }
    writeln!(out, "exitpath: {}", report.verdict())
}
