//! The result of a proof.

use crate::promql::{NodeId, Query};

use super::super::outcome::Outcome;

/// What a query may answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "several of them can be possible at once")]
pub(in crate::data::coverage) struct CanBe {
    pub(in crate::data::coverage) zero: bool,
    pub(in crate::data::coverage) one: bool,
    pub(in crate::data::coverage) another_value: bool,
    pub(in crate::data::coverage) nothing: bool,
    pub(in crate::data::coverage) several: bool,
    pub(in crate::data::coverage) an_error: bool,
}

/// Why there is no proof, and the part of a query that is the reason.
#[derive(Clone, Debug)]
pub(in crate::data::coverage) struct Obstacle {
    /// A sentence.
    pub(in crate::data::coverage) words: String,
    /// The index of the query, and the node. None if the reason is not a part of a query.
    pub(in crate::data::coverage) part: Option<(usize, NodeId)>,
}

/// What the queries may answer on all clusters.
pub(in crate::data::coverage) struct Proof {
    /// Why the proof is incomplete, so that there may be more answers.
    pub(in crate::data::coverage) gap: Option<Obstacle>,
    /// Why some cluster may not get exactly one sample, 0 or 1.
    pub(in crate::data::coverage) open: Option<Obstacle>,
    /// For each query, what it may answer on some cluster.
    pub(in crate::data::coverage) can_be: Vec<CanBe>,
    /// For each query, what it may answer if the previous query answers 1, and if it does not.
    pub(in crate::data::coverage) pairs: Vec<[CanBe; 2]>,
    /// For each query and each `or` in it, whether some cluster needs the right side.
    pub(in crate::data::coverage) needed: Vec<Vec<bool>>,
    /// For each query, what is known about each node.
    pub(in crate::data::coverage) found: Vec<Vec<PartOutcome>>,
    /// The metrics that are not in the dictionary.
    pub(in crate::data::coverage) unknown: Vec<String>,
}

/// What is known about a part of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::data::coverage) enum PartOutcome {
    /// No cluster evaluates it.
    #[default]
    NotAsked,
    /// It has no sample on any cluster.
    Nothing,
    Samples,
}

impl Proof {
    /// The beginning of a proof, when nothing is known yet.
    pub(super) fn begun(queries: &[&Query]) -> Self {
        let nodes = |query: &&Query| query.root().index() + 1;
        Self {
            gap: None,
            open: None,
            can_be: vec![CanBe::default(); queries.len()],
            pairs: vec![[CanBe::default(); 2]; queries.len()],
            needed: queries.iter().map(|query| vec![false; nodes(query)]).collect(),
            found: queries.iter().map(|query| vec![PartOutcome::NotAsked; nodes(query)]).collect(),
            unknown: Vec::new(),
        }
    }

    pub(super) fn unknown(queries: &[&Query], words: String) -> Self {
        let mut proof = Self::begun(queries);
        proof.allow_anything();
        for found in &mut proof.found {
            found.fill(PartOutcome::Samples);
        }
        Self { gap: Some(Obstacle { words, part: None }), ..proof }
    }

    /// Notes that each query may answer anything.
    pub(super) fn allow_anything(&mut self) {
        self.can_be.fill(CanBe::ANYTHING);
        self.pairs.fill([CanBe::ANYTHING; 2]);
        for needed in &mut self.needed {
            needed.fill(true);
        }
    }

    /// Why there is no proof.
    pub(in crate::data::coverage) fn obstacle(&self) -> Option<&Obstacle> {
        self.gap.as_ref().or(self.open.as_ref())
    }

    /// Whether all clusters get exactly one sample, 0 or 1.
    pub(in crate::data::coverage) fn is_proved(&self) -> bool {
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

    /// Whether it may be anything but one sample, 0 or 1.
    pub(in crate::data::coverage) fn is_wrong(self) -> bool {
        self.another_value || self.nothing || self.several || self.an_error
    }

    /// The first wrong outcome that is possible, and words for it.
    pub(super) fn wrong(self) -> Option<(Outcome, &'static str)> {
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

    pub(super) fn add(&mut self, other: Self) {
        self.zero |= other.zero;
        self.one |= other.one;
        self.another_value |= other.another_value;
        self.nothing |= other.nothing;
        self.several |= other.several;
        self.an_error |= other.an_error;
    }
}
