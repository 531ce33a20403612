//! The clusters that count as affected for only one of two queries.

use crate::metrics::FIXED_TIME;
use crate::promql::{self, Query};

use super::classes::{Class, Classes};
use super::dictionary::Dictionary;
use super::outcome::{Outcome, settings};
use super::prover::{Clusters, prove};
use super::search::MOST_CLUSTERS;

/// Clusters on which two queries differ, as examples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Difference {
    /// A cluster that is affected only according to the new query.
    pub(crate) caught: Option<Example>,
    /// A cluster that is affected only according to the old query.
    pub(crate) missed: Option<Example>,
    /// Whether a missing example means that there is no such cluster.
    pub(crate) is_complete: bool,
}

/// A cluster, and the answers of both queries.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// A description that follows "a cluster".
    pub(crate) words: String,
    /// Its series, as lines of a `.series` file.
    pub(crate) series: Vec<String>,
    pub(crate) before: Outcome,
    pub(crate) after: Outcome,
}

impl Difference {
    /// Compares which clusters are affected before and after a change of a query.
    pub(crate) fn of(before: &Query, after: &Query, dictionary: &Dictionary) -> Self {
        let classes = Classes::of(&[before, after], dictionary, FIXED_TIME);
        let mut difference = Self::default();
        for class in classes.some(MOST_CLUSTERS) {
            let outcomes = outcomes(&classes, &class, [before, after]);
            let [Some(then), Some(now)] = outcomes else { continue };
            let direction = match (then == Outcome::One, now == Outcome::One) {
                (false, true) => &mut difference.caught,
                (true, false) => &mut difference.missed,
                _ => continue,
            };
            if direction.is_none() {
                *direction = example(&classes, &class, [before, after]);
            }
        }
        let proof = prove(&[before, after], dictionary, Clusters::SelfManaged);
        let [if_one, if_not] = proof.pairs.last().copied().unwrap_or_default();
        let can_be_caught = if_not.one;
        let can_be_missed = if_one.zero || if_one.is_wrong();
        difference.is_complete = proof.gap.is_none()
            && (difference.caught.is_some() || !can_be_caught)
            && (difference.missed.is_some() || !can_be_missed);
        difference
    }
}

fn outcomes(classes: &Classes, class: &Class, queries: [&Query; 2]) -> [Option<Outcome>; 2] {
    let store = classes.store(class);
    queries.map(|query| Outcome::of(&promql::evaluate(query, &store, &settings())))
}

/// The simplest cluster on which the queries differ as they do on this class.
fn example(classes: &Classes, class: &Class, queries: [&Query; 2]) -> Option<Example> {
    let is_one = |outcomes: &[Option<Outcome>; 2]| {
        outcomes.clone().map(|outcome| outcome == Some(Outcome::One))
    };
    let wanted = is_one(&outcomes(classes, class, queries));
    let is_like = |class: &Class| {
        let outcomes = outcomes(classes, class, queries);
        !outcomes.contains(&None) && is_one(&outcomes) == wanted
    };
    let class = classes.simplest(class.clone(), is_like);
    let [Some(before), Some(after)] = outcomes(classes, &class, queries) else { return None };
    let words = classes.words(&class, is_like);
    Some(Example { words, series: classes.series(&class), before, after })
}
