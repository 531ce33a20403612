//! What every command prints in the same way.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::lineage::Provenance;
use crate::report::Style;
use crate::session::{Failure, KnownGraph, Note};
use crate::text::printable;

use super::args::Common;

/// More notes than these are counted: nobody reads a page of them.
const MOST_NOTES: usize = 8;

/// Prints what people should know of what was read.
pub(super) fn notes(notes: &[Note], common: &Common, err: &mut dyn Write) -> io::Result<()> {
    for note in notes.iter().filter(|note| note.is_important || !common.quiet) {
        writeln!(err, "exitpath: {}", note.text)?;
    }
    Ok(())
}

/// Prints where a graph comes from, and what people should know of that.
pub(super) fn known_graph(
    known: &KnownGraph,
    common: &Common,
    err: &mut dyn Write,
) -> io::Result<()> {
    if common.quiet {
        return Ok(());
    }
    source_notes(&known.provenance, err)?;
    // Of a file, its name says where the updates are from.
    if known.data.is_none() {
        return Ok(());
    }
    let source = printable(&known.provenance.source);
    match known.uncertain {
        0 => writeln!(err, "exitpath: updates are from {source}"),
        1 => writeln!(err, "exitpath: updates are from {source}; 1 of them is uncertain"),
        n => writeln!(err, "exitpath: updates are from {source}; {n} of them are uncertain"),
    }
}

/// Prints what people should know of the source of updates.
pub(super) fn source_notes(provenance: &Provenance, err: &mut dyn Write) -> io::Result<()> {
    let notes = &provenance.notes;
    for note in notes.iter().take(MOST_NOTES) {
        writeln!(err, "exitpath: {}", printable(note))?;
    }
    if notes.len() > MOST_NOTES {
        writeln!(err, "exitpath: and {} more like this", notes.len() - MOST_NOTES)?;
    }
    Ok(())
}

/// Writes a report to a file, or to standard output without one. Colors are for terminals only.
pub(super) fn report(
    file: Option<&Path>,
    style: Style,
    out: &mut dyn Write,
    write: impl FnOnce(Style, &mut dyn Write) -> io::Result<()>,
) -> Result<(), super::Stop> {
    let Some(path) = file else { return Ok(write(style, out)?) };
    let mut text = Vec::new();
    write(Style { color: false, ..style }, &mut text)?;
    fs::write(path, text).map_err(|error| cannot_write(path, &error))?;
    Ok(())
}

/// The same for output that is too large to be kept in memory.
pub(super) fn large(
    file: Option<&Path>,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), super::Stop> {
    let Some(path) = file else { return Ok(write(out)?) };
    let failed = |error: io::Error| cannot_write(path, &error);
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    write(&mut file).and_then(|()| file.flush()).map_err(failed)?;
    Ok(())
}

/// That a file cannot be written.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}
