//! What several commands print.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::edit;
use crate::lineage::Provenance;
use crate::report::Style;
use crate::session::{Failure, KnownGraph, Note};
use crate::text::printable;
use crate::text::words::uncertain;

use super::args::CommonArgs;

/// More notes are only counted: nobody reads a page of them.
const MOST_NOTES: usize = 8;

pub(super) fn notes(notes: &[Note], common: &CommonArgs, err: &mut dyn Write) -> io::Result<()> {
    for note in notes.iter().filter(|note| note.is_important || !common.quiet) {
        writeln!(err, "exitpath: {}", note.text)?;
    }
    Ok(())
}

/// Prints what the service does not load: the graph is not what it serves.
pub(super) fn not_loaded(lines: &[String], err: &mut dyn Write) -> io::Result<()> {
    for line in lines.iter().take(MOST_NOTES) {
        writeln!(err, "exitpath: {}", printable(line))?;
    }
    if lines.len() > MOST_NOTES {
        writeln!(err, "exitpath: and {} more like this", lines.len() - MOST_NOTES)?;
    }
    Ok(())
}

/// Prints notes about the graph, and where its updates come from.
pub(super) fn known_graph(
    known: &KnownGraph,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> io::Result<()> {
    not_loaded(&known.not_loaded, err)?;
    notes(&known.notes, common, err)?;
    if common.quiet {
        return Ok(());
    }
    source_notes(&known.provenance, err)?;
    // The user named the file, so there is no need to repeat it.
    if known.data.is_none() {
        return Ok(());
    }
    let source = printable(&known.provenance.source);
    // The verdicts that rest on an uncertain update say so themselves.
    let uncertain = if common.verbose { uncertain(known.uncertain) } else { String::new() };
    let gaps = known.provenance.gaps();
    writeln!(err, "exitpath: updates are from {source}{uncertain}{gaps}")
}

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
