//! Writes the report for people: the failed tests with the reasons, and the verdict.

use std::io::{self, Write};

use crate::domain::Severity;
use crate::report::query::write_explanation;
use crate::report::{Style, write_line};
use crate::risks::{Disagreement, TestOutcome, TestResult, TestedFile, Unshown};
use crate::text::{SourceId, printable};

use super::TestReport;

pub(super) fn write(report: &TestReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !style.quiet {
        for file in &report.tested.files {
            write_file(report, file, style, out)?;
        }
        for unshown in &report.tested.unshown {
            write_unshown(report, unshown, style, out)?;
        }
    }
    let (mark, worst) =
        if report.passed() { ("✓", None) } else { ("✗", Some(Severity::Error)) };
    writeln!(out, "{}", style.mark(&format!("{mark} {}", report.verdict()), worst))
}

fn write_file(
    report: &TestReport<'_>,
    file: &TestedFile<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match &file.results {
        Ok(results) => {
            for result in results {
                write_result(report, file.path, result, style, out)?;
            }
        }
        Err(faults) => {
            for fault in faults {
                let location = report.location(file.path, fault.place.as_ref());
                write_failure(&location, &fault.message, style, out)?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_failure(
    location: &str,
    message: &str,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mark = style.mark("×", Some(Severity::Error));
    write_line(style, &format!("{mark} {}", style.bold(&printable(message))), 4, out)?;
    writeln!(out, "  {}", printable(location))
}

fn write_unshown(
    report: &TestReport<'_>,
    unshown: &Unshown,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mark = style.mark("⚠", Some(Severity::Warning));
    let message = unshown.message();
    write_line(style, &format!("{mark} {}", style.bold(&printable(&message))), 4, out)?;
    let path = report.sources.path(unshown.place.source);
    writeln!(out, "  {}", printable(&report.location(path, Some(&unshown.place))))?;
    writeln!(out, "  help: {}\n", Unshown::HELP)
}

/// All about a failed test, without colors.
pub(super) fn details(report: &TestReport<'_>, path: &str, result: &TestResult) -> String {
    let style = Style { color: false, width: None, quiet: false, terminal: false };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_result(report, path, result, style, &mut text);
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

fn write_result(
    report: &TestReport<'_>,
    path: &str,
    result: &TestResult,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let location = report.location(path, Some(result.problem_place()));
    if let Some(doubt) = result.doubt() {
        let mark = style.mark("⚠", Some(Severity::Warning));
        write_line(style, &format!("{mark} {}", style.bold(&printable(&doubt))), 4, out)?;
        return writeln!(out, "  {}\n", printable(&location));
    }
    let Some(message) = result.failure() else { return Ok(()) };
    write_failure(&location, &message, style, out)?;
    if let TestOutcome::Differs { disagreements, declared_in } = &result.outcome {
        write_declared(report, *declared_in, out)?;
        for shown in disagreements {
            write_cluster(shown, style, out)?;
        }
    }
    if let TestOutcome::Failed { recommendation, explanations, declared_in, .. } = &result.outcome {
        write_declared(report, *declared_in, out)?;
        // The other lines are the text of the risk itself.
        let condition = recommendation.to_string();
        let first = condition.lines().next().unwrap_or_default();
        write_line(style, &format!("  Recommended={}", printable(first)), 4, out)?;
        for explanation in explanations {
            writeln!(out)?;
            write_explanation(explanation, style, out)?;
        }
    }
    writeln!(out)
}

fn write_declared(report: &TestReport<'_>, file: SourceId, out: &mut dyn Write) -> io::Result<()> {
    let declared = report.location(report.sources.path(file), None);
    writeln!(out, "  the risk is declared in {}", printable(&declared))
}

/// Writes a cluster that shows a difference, in a form that `promql eval` can read.
fn write_cluster(shown: &Disagreement, style: Style, out: &mut dyn Write) -> io::Result<()> {
    const MOST: usize = 12;
    write_line(style, &format!("  {}", printable(&shown.words_before_series())), 4, out)?;
    for line in shown.series.iter().take(MOST) {
        writeln!(out, "    {}", printable(line))?;
    }
    match shown.series.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "    and {more} more; `--format json` has all of them"),
    }
}
