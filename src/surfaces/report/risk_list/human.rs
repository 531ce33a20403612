//! The risks of a repository, in the terminal.

use std::io::{self, Write};

use crate::authoring::{RiskInMinor, RiskState};
use crate::domain::Severity;
use crate::domain::time::day;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::counted;

use super::RiskListReport;

pub(super) fn write(
    report: &RiskListReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for risk in &report.risks {
        let since = risk.since.map_or_else(String::new, |time| format!("  since {}", day(time)));
        writeln!(out, "{}{since}", style.bold(&printable(risk.name)))?;
        for minor in &risk.minors {
            let state = in_words(report, minor, style);
            let line = format!("  {}: {}; {state}", minor.minor, printable(&report.targets(minor)));
            write_line(style, &line, 4, out)?;
        }
    }
    if style.quiet {
        return Ok(());
    }
    let waiting = report.risks.iter().filter(|risk| risk.waits()).count();
    let shown = match report.risks.len() {
        0 => String::new(),
        _ => "\n".to_owned(),
    };
    let verdict = match waiting {
        0 => "no release waits for a decision".to_owned(),
        n => format!("releases wait for {}", counted(n, "risk")),
    };
    writeln!(out, "{shown}{}: {verdict}", counted(report.all, "risk"))
}

fn in_words(report: &RiskListReport<'_>, minor: &RiskInMinor<'_>, style: Style) -> String {
    match &minor.state {
        RiskState::Fixed(version) => format!("fixed in {version}"),
        RiskState::Open => "open".to_owned(),
        RiskState::OnlyPreReleases => "only pre-releases".to_owned(),
        RiskState::Waits(releases) => {
            let all = printable(&report.data.releases.in_ranges(releases)).into_owned();
            if minor.is_long_past {
                return format!("not on {all}, for long");
            }
            let waits = if releases.len() == 1 { "waits" } else { "wait" };
            style.paint(&format!("{all} {waits}"), Severity::Warning)
        }
    }
}
