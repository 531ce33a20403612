//! Findings about objects, for people.

use std::io::{self, Write};

use crate::domain::Named;
use crate::report::Style;
use crate::text::printable;

use super::PlacedFinding;

pub(super) fn write(
    findings: &[PlacedFinding],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for finding in findings {
        let place = match (finding.line, finding.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", finding.path),
            _ => finding.path.clone(),
        };
        let severity = style.paint(finding.severity.name(), finding.severity);
        writeln!(out, "{}: {severity}: {}", printable(&place), printable(&finding.message))?;
        writeln!(out, "  help: {}", printable(&finding.help))?;
    }
    if !findings.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}
