//! What `check --fix` prints.

use std::io::Write;

use crate::edit;
use crate::report::Style;
use crate::session::Fixed;
use crate::text::printable;
use crate::text::words::counted;

use super::Stop;

pub(super) fn preview(
    fixed: &Fixed,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    for (path, (old, new)) in &fixed.changed {
        write!(out, "{}", shown(&edit::unified_diff(path, old, new), style))?;
    }
    if fixed.changed.is_empty() {
        writeln!(err, "exitpath: nothing to fix")?;
    }
    Ok(())
}

pub(super) fn summary(fixed: &Fixed, err: &mut dyn Write) -> Result<(), Stop> {
    if fixed.fixes > 0 {
        let (findings, files) =
            (counted(fixed.fixes, "finding"), counted(fixed.changed.len(), "file"));
        writeln!(err, "exitpath: fixed {findings} in {files}")?;
    }
    Ok(())
}

/// On a terminal, control characters are escaped. Otherwise every byte stays, so that `git apply`
/// works.
fn shown(diff: &str, style: Style) -> String {
    if !style.terminal {
        return diff.to_owned();
    }
    let mut shown = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let parts = line.trim_end_matches(['\r', '\n']).split('\t').map(printable);
        shown.push_str(&parts.collect::<Vec<_>>().join("\t"));
        shown.push('\n');
    }
    shown
}
