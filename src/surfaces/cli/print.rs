//! What several commands print.

use std::io::{self, Write};

use crate::lineage::Provenance;
use crate::session::{KnownGraph, Note};
use crate::text::printable;
use crate::text::words::uncertain;

use super::common_args::CommonArgs;

/// At most this many notes of a kind are printed. Further ones are only counted.
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
