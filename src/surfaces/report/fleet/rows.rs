//! Rows of a report in the terminal, and numbers of clusters.

use std::io::{self, Write};

use crate::fleet::GoalPath;
use crate::text::printable;
use crate::text::words::{counted, grouped, listed};

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

pub(super) const REACHED: &str = "at the goal already, or newer";

/// A path for all clusters that have it, with its place in a list, and with how many risks it has.
pub(super) fn path_in_words(path: &GoalPath) -> (u8, usize, String) {
    let names = |risks: &[String]| {
        let names: Vec<_> = risks.iter().map(|name| printable(name)).collect();
        listed(&names, "and")
    };
    let accept = names(&path.accept);
    let risks = path.accept.len() + path.cannot_tell.len();
    match (path.accept.is_empty(), path.cannot_tell.is_empty()) {
        (true, true) => (1, risks, "by recommended updates".to_owned()),
        (false, true) => (2, risks, format!("after accepting {accept}")),
        (is_alone, false) => {
            let verb = if path.cannot_tell.len() == 1 { "affects" } else { "affect" };
            let unknown = names(&path.cannot_tell);
            let also =
                if is_alone { String::new() } else { format!(", and after accepting {accept}") };
            let words =
                format!("by updates of which they cannot tell whether {unknown} {verb} them{also}");
            (3, risks, words)
        }
    }
}
