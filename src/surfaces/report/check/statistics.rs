//! One line for each rule with findings: how many, and how severe.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::domain::Named;
use crate::report::Style;
use crate::text::words::grouped;

use super::CheckReport;

pub(super) fn write(report: &CheckReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for finding in report.findings() {
        let key = (Reverse(finding.severity), finding.rule.code, finding.rule.name);
        *counts.entry(key).or_default() += 1;
    }
    let mut lines: Vec<_> = counts.into_iter().collect();
    lines.sort_by_key(|((severity, ..), count)| (*severity, Reverse(*count)));
    let width = lines.iter().map(|(_, count)| grouped(*count).len()).max().unwrap_or(0);
    for ((Reverse(severity), code, rule), count) in lines {
        let name = style.paint(&format!("{:<7}", severity.name()), severity);
        writeln!(out, "{:>width$}  {name}  {code} {rule}", grouped(count))?;
    }
    Ok(())
}
