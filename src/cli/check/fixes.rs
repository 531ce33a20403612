//! What `check --fix` prints.

use std::io::Write;

use crate::cli::changes;
use crate::report::Style;
use crate::session::Fixed;
use crate::text::words::counted;

use super::Stop;

pub(super) fn preview(
    fixed: &Fixed,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    changes::preview(fixed.changed.values(), style, out)?;
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
