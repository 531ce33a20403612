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

/// An answer for all clusters that have it. Answers are in the order of their ranks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankedAnswer {
    pub(super) rank: u8,
    /// How many risks the path has.
    pub(super) risks: usize,
    pub(super) words: String,
}

impl RankedAnswer {
    /// An answer that is not a path with risks.
    pub(super) fn new(rank: u8, words: &str) -> Self {
        Self { rank, risks: 0, words: words.to_owned() }
    }
}

/// A path for all clusters that have it.
pub(super) fn path_in_words(path: &GoalPath) -> RankedAnswer {
    let names = |risks: &[String]| {
        let names: Vec<_> = risks.iter().map(|name| printable(name)).collect();
        listed(&names, "and")
    };
    let accept = names(&path.accept);
    let risks = path.accept.len() + path.cannot_tell.len();
    let (rank, words) = match (path.accept.is_empty(), path.cannot_tell.is_empty()) {
        (true, true) => (1, "by recommended updates".to_owned()),
        (false, true) => (2, format!("after accepting {accept}")),
        (is_alone, false) => {
            let verb = if path.cannot_tell.len() == 1 { "affects" } else { "affect" };
            let unknown = names(&path.cannot_tell);
            let also =
                if is_alone { String::new() } else { format!(", and after accepting {accept}") };
            let words =
                format!("by updates of which they cannot tell whether {unknown} {verb} them{also}");
            (3, words)
        }
    };
    RankedAnswer { rank, risks, words }
}
