//! One line for each finding: `path:line:column: severity[code rule]: message`.

use std::io::{self, Write};

use crate::domain::Named;
use crate::report::Style;
use crate::text::printable;

use super::CheckReport;

pub(super) fn write(report: &CheckReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !style.quiet {
        for finding in report.listed() {
            let place = report.location(&finding.place);
            let severity = style.mark(finding.severity.name(), Some(finding.severity));
            let (code, rule) = (finding.rule.code, finding.rule.name);
            let (place, message) = (printable(&place), printable(&finding.message));
            writeln!(out, "{place}: {severity}[{code} {rule}]: {message}")?;
        }
    }
    report.write_verdict(style, out)
}
