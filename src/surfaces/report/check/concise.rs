//! One line for each finding: `path:line:column: severity[code rule]: message`.

use std::io::{self, Write};

use crate::domain::Named;
use crate::report::Style;
use crate::report::workflow_commands::without_command;
use crate::rules::Finding;
use crate::text::printable;

use super::{CheckReport, Listing, statistics};

pub(super) fn write(report: &CheckReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !style.quiet && report.listing == Listing::Statistics {
        statistics::write(report, style, out)?;
    } else if !style.quiet {
        for finding in report.listed() {
            let severity = style.mark(finding.severity.name(), Some(finding.severity));
            writeln!(out, "{}", line(report, finding, &severity))?;
        }
    }
    report.write_verdict(style, out)
}

/// A finding in one line.
pub(super) fn line(report: &CheckReport<'_>, finding: &Finding, severity: &str) -> String {
    let (code, rule) = (finding.rule.code, finding.rule.name);
    let place = report.location(&finding.place);
    let (place, message) = (printable(&place), printable(&finding.message));
    let line = format!("{place}: {severity}[{code} {rule}]: {message}");
    without_command(&line).into_owned()
}
