//! Workflow commands that GitHub Actions turns into annotations.

use std::io::{self, Write};

use crate::domain::Named;
use crate::rules::{Finding, Severity};

use crate::report::workflow_commands::{property, text};

use super::{CheckReport, concise};

/// How many annotations of each level GitHub shows for a step. It drops the others silently.
const SHOWN_PER_LEVEL: usize = 10;

pub(super) fn write(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut hidden: Vec<&Finding> = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let all: Vec<&Finding> =
            report.findings().iter().filter(|finding| finding.severity == severity).collect();
        // One annotation is reserved for the number of findings that are not shown.
        let shown = all.len().min(SHOWN_PER_LEVEL - usize::from(severity == Severity::Info));
        for finding in &all[..shown] {
            write_annotation(report, finding, out)?;
        }
        hidden.extend(&all[shown..]);
    }
    if !hidden.is_empty() {
        writeln!(
            out,
            "::notice title=exitpath::GitHub shows no more than {SHOWN_PER_LEVEL} annotations of each level; \
             {} further findings are in the log",
            hidden.len()
        )?;
    }
    // These are plain lines of the log. None begins with the `::` of a command.
    for finding in hidden {
        writeln!(out, "{}", concise::line(report, finding, finding.severity.name()))?;
    }
    writeln!(out, "exitpath: {}", report.verdict())
}

fn write_annotation(
    report: &CheckReport<'_>,
    finding: &Finding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    write!(
        out,
        "::{level} file={}",
        property(&report.displayed_path(report.path(&finding.place)))
    )?;
    if let Some((start, end)) = report.range(&finding.place) {
        write!(out, ",line={},endLine={}", start.line, end.line)?;
        // GitHub allows columns only on a single line, and its end is inclusive.
        if start.line == end.line {
            let last = end.column.saturating_sub(1).max(start.column);
            write!(out, ",col={},endColumn={last}", start.column)?;
        }
    }
    let title = format!("{} {}", finding.rule.code, finding.rule.name);
    // The log shows only this text, without the title and the place.
    let line = concise::line(report, finding, finding.severity.name());
    write!(out, ",title={}::{}", property(&title), text(&line))?;
    if let Some(help) = &finding.help {
        write!(out, "%0Ahelp: {}", text(help))?;
    }
    writeln!(out)
}
