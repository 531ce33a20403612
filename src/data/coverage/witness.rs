//! A cluster on which a query goes wrong.

use std::ops::Range;

use crate::metrics::{FIXED_TIME, SeriesText};
use crate::promql::{self, Query};
use crate::text::words::listed;

use super::blame::blame;
use super::outcome::{Outcome, settings};
use super::population::Population;
use super::rarity::Rarity;

/// A cluster on which a query goes wrong, and how.
#[derive(Clone, Debug)]
pub(crate) struct Witness {
    pub(crate) outcome: Outcome,
    pub(crate) rarity: Rarity,
    /// Its series, as lines of a `.series` file.
    pub(crate) series: Vec<String>,
    /// The bytes of the query that are to blame.
    pub(crate) blame: Range<usize>,
    /// What is special about the cluster, as words after "on a cluster".
    pub(crate) words: String,
    /// The metrics that the cluster lacks, if nothing else is special about it.
    pub(crate) lacking: Vec<String>,
}

impl Witness {
    /// Makes a witness of a cluster. Reads its text and evaluates the query again. None if the
    /// outcome differs.
    pub(super) fn of(
        query: &Query,
        outcome: &Outcome,
        rarity: Rarity,
        chosen: &[&Population],
        words: String,
    ) -> Option<Self> {
        let series = chosen.iter().flat_map(|population| &population.series);
        let series: Vec<String> = series.map(|series| series.line()).collect();
        let read = SeriesText::read(&series.join("\n"), Some(FIXED_TIME));
        let (answer, counts) = promql::evaluate_counted(query, &read.series.store, &settings());
        let outcome = Outcome::of(&answer).filter(|replayed| replayed.is_like(outcome))?;
        let blame = query.node(blame(query, &counts, &outcome)).range.clone();
        let lacking = if words.starts_with(WITHOUT) {
            chosen.iter().flat_map(|population| &population.lacking).cloned().collect()
        } else {
            Vec::new()
        };
        Some(Self { outcome, rarity, series, blame, words, lacking })
    }

    /// A sentence about what goes wrong.
    pub(crate) fn sentence(&self) -> String {
        format!("on a cluster {}, it {}", self.words, self.outcome.in_words())
    }
}

const WITHOUT: &str = "without ";

/// How a cluster differs from a usual one, as words after "on a cluster".
pub(super) fn in_words(chosen: &[&Population], usual: &[&Population]) -> String {
    let lines = |populations: &[&Population]| -> Vec<String> {
        let series = populations.iter().flat_map(|population| &population.series);
        series.map(|series| format!("`{}`", series.line())).collect()
    };
    let lacking = |populations: &[&Population]| -> Vec<String> {
        let names = populations.iter().flat_map(|population| &population.lacking);
        names.map(|name| format!("`{name}`")).collect()
    };
    let (all, usual_lines, usual_lacking) = (lines(chosen), lines(usual), lacking(usual));
    let unlike = |all: &[String], usual: &[String]| -> Vec<String> {
        all.iter().filter(|one| !usual.contains(one)).cloned().collect()
    };
    let mut with = unlike(&all, &usual_lines);
    let lacks_unlike = !unlike(&lacking(chosen), &usual_lacking).is_empty();
    let without = if lacks_unlike { lacking(chosen) } else { Vec::new() };
    if with.is_empty() && without.is_empty() {
        with = all;
    }
    match (with.as_slice(), without.as_slice()) {
        ([], []) => format!("{WITHOUT}any series that the query selects"),
        (with, []) => format!("with {}", listed(with, "and")),
        ([], without) => format!("{WITHOUT}{}", listed(without, "or")),
        (with, without) => {
            format!("with {}, and without {}", listed(with, "and"), listed(without, "or"))
        }
    }
}
