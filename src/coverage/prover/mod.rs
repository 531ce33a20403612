//! The proof that each cluster gets exactly one sample, 0 or 1.
//!
//! The queries are evaluated with what is known instead of samples (`vector`, `number`). Where more
//! than one thing is possible, all of them are tried (`choices`): whether there are series of a kind
//! (`universe`), whether two labels have the same text, how two numbers compare. What is decided in one
//! case stays decided there (`case`). Each cluster that the dictionary allows is in one of the cases, so
//! what holds in all cases holds on all clusters. The other way around, a case may stand for no cluster:
//! where the proof fails, the answer is not known.

mod aggregate;
mod binary;
mod case;
mod choices;
mod evaluation;
mod explorer;
mod finder;
mod functions;
mod names;
mod number;
mod steps;
mod stop;
mod texts;
mod universe;
mod vector;

use crate::promql::{NodeId, Query};

use super::dictionary::Dictionary;
use super::outcome::Outcome;
use explorer::Explorer;
use steps::Steps;
use universe::Universe;

pub(super) use universe::{Clusters, HOSTED_ID};

/// Where something that is only partly known comes from. In one case, it is the same thing wherever it
/// is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    /// The only series of a kind.
    Series {
        metric: usize,
        kind: usize,
        moment: usize,
    },
    Step {
        step: usize,
        number: u32,
    },
}

/// What a query can answer in some case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CanBe {
    pub(super) zero: bool,
    pub(super) one: bool,
    pub(super) another_value: bool,
    pub(super) nothing: bool,
    pub(super) several: bool,
    pub(super) an_error: bool,
}

/// A part of a query because of which there is no proof.
#[derive(Clone, Debug)]
pub(super) struct Obstacle {
    /// A sentence.
    pub(super) words: String,
    /// The query, by its place, and the part of it. None: it is not in one part.
    pub(super) part: Option<(usize, NodeId)>,
}

/// What all clusters together can answer.
pub(super) struct Proof {
    /// Why there may be more answers.
    pub(super) gap: Option<Obstacle>,
    /// What some cluster may answer besides one sample, 0 or 1.
    pub(super) open: Option<Obstacle>,
    /// For each query, what some cluster can answer.
    pub(super) can_be: Vec<CanBe>,
    /// What one query can answer where the one before it answers 1, and where it does not.
    pub(super) pairs: Vec<[CanBe; 2]>,
    /// For each query, whether a side of `or` was needed, by the node of the `or`.
    pub(super) needed: Vec<Vec<bool>>,
    /// For each query and each node, what came of it.
    pub(super) found: Vec<Vec<Found>>,
    /// The metrics that the dictionary does not know.
    pub(super) unknown: Vec<String>,
}

/// What came of a part of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// No cluster needs it.
    #[default]
    NotAsked,
    /// No cluster has a sample of it.
    Nothing,
    Samples,
}

impl Proof {
    /// Evaluates queries in all cases.
    pub(super) fn of(queries: &[&Query], dictionary: &Dictionary, clusters: Clusters) -> Self {
        let steps = Steps::of(queries);
        let universe = match Universe::of(queries, dictionary, clusters) {
            Ok(universe) => universe,
            Err(what) => return Self::nothing(queries, format!("I cannot judge {what}")),
        };
        let quick = Explorer::new(queries, &steps, &universe, false).explore();
        if quick.is_proved() || quick.gap.is_some() {
            return quick;
        }
        let thorough = Explorer::new(queries, &steps, &universe, true).explore();
        if thorough.gap.is_some() { quick } else { thorough }
    }

    /// Nothing is known yet.
    fn begun(queries: &[&Query]) -> Self {
        let nodes = |query: &&Query| query.root().index() + 1;
        Self {
            gap: None,
            open: None,
            can_be: vec![CanBe::default(); queries.len()],
            pairs: vec![[CanBe::default(); 2]; queries.len()],
            needed: queries.iter().map(|query| vec![false; nodes(query)]).collect(),
            found: queries.iter().map(|query| vec![Found::NotAsked; nodes(query)]).collect(),
            unknown: Vec::new(),
        }
    }

    fn nothing(queries: &[&Query], words: String) -> Self {
        let mut proof = Self::begun(queries);
        proof.allow_anything();
        Self { gap: Some(Obstacle { words, part: None }), ..proof }
    }

    /// From here on, each query can answer anything.
    fn allow_anything(&mut self) {
        self.can_be.fill(CanBe::ANYTHING);
        self.pairs.fill([CanBe::ANYTHING; 2]);
        for needed in &mut self.needed {
            needed.fill(true);
        }
        for found in &mut self.found {
            found.fill(Found::Samples);
        }
    }

    /// Why it is not proved.
    pub(super) fn obstacle(&self) -> Option<&Obstacle> {
        self.gap.as_ref().or(self.open.as_ref())
    }

    /// Whether all clusters get exactly one sample, 0 or 1.
    pub(super) fn is_proved(&self) -> bool {
        self.gap.is_none() && !self.can_be.iter().any(|can_be| can_be.is_wrong())
    }
}

impl CanBe {
    const ANYTHING: Self = Self {
        zero: true,
        one: true,
        another_value: true,
        nothing: true,
        several: true,
        an_error: true,
    };

    /// Whether it can be anything but one sample, 0 or 1.
    pub(super) fn is_wrong(self) -> bool {
        self.another_value || self.nothing || self.several || self.an_error
    }

    /// The first wrong outcome that is possible.
    fn wrong(self) -> Option<(Outcome, &'static str)> {
        let outcomes = [
            (self.nothing, Outcome::NoSample, "some clusters may get no sample"),
            (self.several, Outcome::SeveralSamples(2), "some clusters may get several samples"),
            (
                self.another_value,
                Outcome::OtherValue(f64::NAN),
                "some clusters may get another value than 0 or 1",
            ),
            (self.an_error, Outcome::Error(String::new()), "some clusters may get an error"),
        ];
        outcomes.into_iter().find(|one| one.0).map(|(_, outcome, words)| (outcome, words))
    }

    fn add(&mut self, other: Self) {
        self.zero |= other.zero;
        self.one |= other.one;
        self.another_value |= other.another_value;
        self.nothing |= other.nothing;
        self.several |= other.several;
        self.an_error |= other.an_error;
    }
}
