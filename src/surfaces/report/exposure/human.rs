//! Exposures in the terminal: a line for each risk, as `exposure-length.sh` writes it.

use std::io::{self, Write};

use crate::domain::time::day;
use crate::report::Style;
use crate::text::printable;
use crate::text::words::counted;

use super::ExposureReport;

pub(super) fn write(
    report: &ExposureReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for risk in &report.risks {
        let (start, end) = (day(risk.declared), day(risk.fixed));
        let days = counted(usize::try_from(risk.days()).unwrap_or_default(), "day");
        writeln!(out, "{start} - {end} ({days}): {}", printable(risk.name))?;
    }
    if style.quiet {
        return Ok(());
    }
    let without = counted(report.unfixed, "risk");
    let has = if report.unfixed == 1 { "has" } else { "have" };
    match median(report) {
        Some(days) => {
            let days = counted(days, "day");
            let all = counted(report.risks.len(), "risk");
            writeln!(out, "\n{all} with a fix: the median is {days}. {without} {has} none.")
        }
        None => writeln!(out, "No risk has a fix. {without} {has} none."),
    }
}

fn median(report: &ExposureReport<'_>) -> Option<usize> {
    let mut days: Vec<i64> = report.risks.iter().map(super::ExposedRisk::days).collect();
    days.sort_unstable();
    usize::try_from(*days.get(days.len() / 2)?).ok()
}
