//! What `check --fix` and `catalog check --fix` print.

use std::io::Write;

use crate::lint::Outcome;
use crate::report::Style;
use crate::session::Fixed;
use crate::text::printable;
use crate::text::words::counted;

use super::{Stop, changes};

pub(super) fn preview<C>(
    fixed: &Fixed<C>,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    changes::preview(fixed.changed.values(), style, out)?;
    if fixed.changed.is_empty() {
        writeln!(err, "exitpath: nothing to fix")?;
    }
    refusals(fixed, err)?;
    if fixed.unfixable > 0 {
        let has = if fixed.unfixable == 1 { "has" } else { "have" };
        let findings = counted(fixed.unfixable, "finding");
        writeln!(
            err,
            "exitpath: {findings} {has} no fix: without `--diff`, the report lists them"
        )?;
    }
    Ok(())
}

/// Removes the fixes from the findings that are left: none of them can be made.
pub(super) fn without_fixes(outcome: &mut Outcome) {
    outcome.findings.iter_mut().for_each(|finding| finding.fix = None);
}

pub(super) fn summary<C>(fixed: &Fixed<C>, err: &mut dyn Write) -> Result<(), Stop> {
    if fixed.fixes > 0 {
        let (findings, files) =
            (counted(fixed.fixes, "finding"), counted(fixed.changed.len(), "file"));
        writeln!(err, "exitpath: fixed {findings} in {files}")?;
    }
    refusals(fixed, err)
}

/// Says which fixes were not made, and why.
fn refusals<C>(fixed: &Fixed<C>, err: &mut dyn Write) -> Result<(), Stop> {
    for refused in &fixed.refused {
        let text = format!("{} is not fixed: {}", refused.finding, refused.why);
        writeln!(err, "exitpath: {}", printable(&text))?;
    }
    Ok(())
}
