//! The verdict on a query: what it answers on one cluster of each class.

use std::ops::Range;

use crate::metrics::{FIXED_TIME, SeriesText};
use crate::promql::{self, NodeId, Query, Type};
use crate::text::words::listed;

use super::blame::blame;
use super::by_part::ByPart;
use super::classes::{Class, Classes, MOST_NODES};
use super::dictionary::Dictionary;
use super::outcome::{Outcome, settings};
use super::population::Population;
use super::prover::Proof;
use super::rarity::Rarity;

/// The most clusters on which a query is evaluated.
pub(super) const MOST_CLUSTERS: usize = 1_500;

/// Whether each cluster gets exactly one sample that is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Proved,
    CanGoWrong,
    NotDecided,
}

impl Verdict {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::CanGoWrong => "can-go-wrong",
            Self::NotDecided => "not-decided",
        }
    }
}

/// A cluster on which a query goes wrong.
#[derive(Clone, Debug)]
pub(crate) struct Witness {
    pub(crate) outcome: Outcome,
    pub(crate) rarity: Rarity,
    /// Its series, as lines of a `.series` file.
    pub(crate) series: Vec<String>,
    /// The bytes of the query that are to blame.
    pub(crate) blame: Range<usize>,
    /// What is special about the cluster, after "on a cluster".
    pub(crate) words: String,
    /// The metrics that it does not have, if that is all that is special about it.
    pub(crate) lacking: Vec<String>,
}

impl Witness {
    /// A sentence about what happens.
    pub(crate) fn sentence(&self) -> String {
        format!("on a cluster {}, it {}", self.words, self.outcome.in_words())
    }
}

/// What a query answers on clusters.
#[derive(Clone, Debug)]
pub(crate) struct Coverage {
    pub(crate) verdict: Verdict,
    /// One for each way to go wrong, the most usual first.
    pub(crate) witnesses: Vec<Witness>,
    /// A sentence about the verdict.
    pub(crate) note: String,
    /// Whether no cluster gets any other answer than those that were seen.
    pub(crate) is_complete: bool,
    /// Whether some cluster gets a 0, and whether some cluster gets a 1.
    pub(crate) zero: bool,
    pub(crate) one: bool,
    /// The sides of `or` that no cluster needs.
    pub(crate) unused: Vec<NodeId>,
}

impl Coverage {
    /// What a query answers on the clusters that a dictionary allows.
    pub(crate) fn of(query: &Query, dictionary: &Dictionary) -> Self {
        if query.node(query.root()).kind != Type::Vector {
            return Self::never_a_vector(query);
        }
        let proof = Proof::of(&[query], dictionary);
        if proof.is_proved() {
            return Self::proved(query, &proof);
        }
        let mut classes = Classes::of(&[query], dictionary, FIXED_TIME);
        let by_part = ByPart::of(query, &mut classes);
        let most = MOST_CLUSTERS.min(MOST_NODES / (query.root().index() + 1)).max(50);
        let mut search = Search::new(query, &classes, by_part);
        for class in classes.some(most) {
            search.try_class(class);
        }
        search.coverage(&proof)
    }

    fn proved(query: &Query, proof: &Proof) -> Self {
        let [can_be] = proof.can_be.as_slice() else { return Self::not_decided("its proof") };
        Self {
            verdict: Verdict::Proved,
            witnesses: Vec::new(),
            note: "each cluster gets exactly one sample, 0 or 1".into(),
            is_complete: true,
            zero: can_be.zero,
            one: can_be.one,
            unused: unused(query, proof),
        }
    }

    /// Of a query that is not looked at.
    pub(crate) fn not_decided(why: &str) -> Self {
        Self {
            verdict: Verdict::NotDecided,
            witnesses: Vec::new(),
            note: format!("not decided because of {why}"),
            is_complete: false,
            zero: true,
            one: true,
            unused: Vec::new(),
        }
    }

    fn never_a_vector(query: &Query) -> Self {
        let words = "the result is not a vector".to_owned();
        let witness = Witness {
            outcome: Outcome::Error(words),
            rarity: Rarity::Common,
            series: Vec::new(),
            blame: query.node(query.root()).range.clone(),
            words: "of any kind".into(),
            lacking: Vec::new(),
        };
        Self {
            verdict: Verdict::CanGoWrong,
            witnesses: vec![witness],
            note: "clusters refuse an answer that is not a vector".into(),
            is_complete: true,
            zero: false,
            one: false,
            unused: Vec::new(),
        }
    }

    /// The witness for an outcome like this.
    pub(crate) fn witness(&self, is_it: impl Fn(&Outcome) -> bool) -> Option<&Witness> {
        self.witnesses.iter().find(|witness| is_it(&witness.outcome))
    }
}

/// The sides of `or` that no cluster needs.
fn unused(query: &Query, proof: &Proof) -> Vec<NodeId> {
    let needed = proof.needed.first();
    let is_needed = |id: NodeId| needed.is_none_or(|needed| needed[id.index()]);
    let ors = query.nodes().filter(|(id, node)| node.expr.is_or() && !is_needed(*id));
    if proof.gap.is_none() { ors.map(|(id, _)| id).collect() } else { Vec::new() }
}

/// What was seen so far.
struct Search<'a> {
    query: &'a Query,
    classes: &'a Classes,
    by_part: ByPart<'a>,
    /// The most usual class for each way to go wrong.
    found: Vec<(Outcome, Rarity, Class)>,
    zero: bool,
    one: bool,
}

impl<'a> Search<'a> {
    fn new(query: &'a Query, classes: &'a Classes, by_part: ByPart<'a>) -> Self {
        Self { query, classes, by_part, found: Vec::new(), zero: false, one: false }
    }

    fn outcome(&mut self, class: &Class) -> Option<Outcome> {
        Outcome::of(&self.by_part.answer(self.classes, class).0)
    }

    fn try_class(&mut self, class: Class) {
        let Some(outcome) = self.outcome(&class) else { return };
        match outcome {
            Outcome::Zero => self.zero = true,
            Outcome::One => self.one = true,
            _ => {
                let rarity = self.classes.rarity(&class);
                match self.found.iter_mut().find(|(known, ..)| known.is_like(&outcome)) {
                    None => self.found.push((outcome, rarity, class)),
                    Some(known) if rarity < known.1 => *known = (outcome, rarity, class),
                    Some(_) => {}
                }
            }
        }
    }

    fn coverage(mut self, proof: &Proof) -> Coverage {
        self.found.sort_by_key(|(_, rarity, _)| *rarity);
        let found = std::mem::take(&mut self.found);
        let is_known = self.classes.unknown.is_empty();
        let witnesses: Vec<Witness> = if is_known {
            found
                .iter()
                .filter_map(|(outcome, rarity, class)| self.witness(outcome, *rarity, class))
                .collect()
        } else {
            Vec::new()
        };
        let (verdict, note) = match witnesses.first() {
            Some(first) => (Verdict::CanGoWrong, first.sentence()),
            None => (Verdict::NotDecided, doubt(proof)),
        };
        let is_complete = proof.gap.is_none();
        let can_be = proof.can_be.first().copied().unwrap_or_default();
        Coverage {
            verdict,
            witnesses,
            note,
            is_complete,
            zero: self.zero || is_complete && can_be.zero,
            one: self.one || is_complete && can_be.one,
            unused: unused(self.query, proof),
        }
    }

    /// A witness as simple as possible. It is replayed from its text.
    fn witness(&mut self, outcome: &Outcome, rarity: Rarity, class: &Class) -> Option<Witness> {
        let mut class = class.clone();
        for part in 0..class.len() {
            let choice = std::mem::replace(&mut class[part], 0);
            let same = self.outcome(&class).is_some_and(|simple| simple.is_like(outcome));
            if !same || self.classes.rarity(&class) > rarity {
                class[part] = choice;
            }
        }
        let chosen: Vec<&Population> = self.classes.chosen(&class).collect();
        let series: Vec<String> = chosen
            .iter()
            .flat_map(|population| &population.series)
            .map(|series| series.line())
            .collect();
        let read = SeriesText::read(&series.join("\n"), Some(FIXED_TIME));
        let (answer, counts) =
            promql::evaluate_counted(self.query, &read.series.store, &settings());
        let outcome = Outcome::of(&answer).filter(|replayed| replayed.is_like(outcome))?;
        let blame = self.query.node(blame(self.query, &counts, &outcome)).range.clone();
        let words =
            in_words(&chosen, &self.classes.chosen(&vec![0; class.len()]).collect::<Vec<_>>());
        let lacking = if words.starts_with(WITHOUT) {
            chosen.iter().flat_map(|population| &population.lacking).cloned().collect()
        } else {
            Vec::new()
        };
        Some(Witness { outcome, rarity, series, blame, words, lacking })
    }
}

/// Why a query is not decided that goes wrong on no cluster that was tried.
fn doubt(proof: &Proof) -> String {
    let unknown: Vec<String> = proof.unknown.iter().map(|name| format!("`{name}`")).collect();
    match &proof.gap {
        _ if !unknown.is_empty() => {
            format!("the dictionary of metrics does not know {}", listed(&unknown, "and"))
        }
        Some(gap) => format!("not decided because of {}", gap.what),
        None => "not decided: some clusters may get something else than one sample, 0 or 1".into(),
    }
}

const WITHOUT: &str = "without ";

/// What a cluster has, or lacks, unlike a usual one. It goes after "on a cluster".
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
