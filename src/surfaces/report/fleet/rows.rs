//! Rows of a report in the terminal, and numbers of clusters.

use std::io::{self, Write};

use crate::text::words::{counted, grouped};

/// How many releases and risks are shown.
pub(super) const MOST_ROWS: usize = 40;

pub(super) fn more(all: usize, out: &mut dyn Write) -> io::Result<()> {
    if all > MOST_ROWS {
        writeln!(out, "  and {} more; `--format json` lists all", grouped(all - MOST_ROWS))?;
    }
    Ok(())
}

pub(super) fn grouped_u64(number: u64) -> String {
    grouped(usize::try_from(number).unwrap_or(usize::MAX))
}

pub(super) fn counted_u64(number: u64, noun: &str) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), noun)
}
