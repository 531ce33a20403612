//! Standard output, and files that the user names for it.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::edit;
use crate::report::Style;
use crate::session::Failure;

/// Writes a report to a file (without colors), or to standard output.
pub(super) fn report(
    file: Option<&Path>,
    style: Style,
    out: &mut dyn Write,
    write: impl FnOnce(Style, &mut dyn Write) -> io::Result<()>,
) -> Result<(), super::Stop> {
    let Some(path) = file else { return Ok(write(style, out)?) };
    let mut text = Vec::new();
    write(Style { color: false, ..style }, &mut text)?;
    write_file(path, &text)
}

/// Creates or replaces a file that the user names.
pub(super) fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), super::Stop> {
    let written = edit::write(path, text.as_ref());
    Ok(written.map_err(|error| cannot_write(path, &error))?)
}

/// Like [`report`], for output that is too large for memory.
pub(super) fn large(
    file: Option<&Path>,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), super::Stop> {
    let Some(path) = file else { return Ok(write(out)?) };
    let failed = |error: io::Error| cannot_write(path, &error);
    let mut file = BufWriter::new(edit::create(path).map_err(failed)?);
    write(&mut file).and_then(|()| file.flush()).map_err(failed)?;
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}
