//! Small clusters on which a query answers 1 or 0.

use std::sync::Arc;

use crate::metrics::FIXED_TIME;
use crate::promql::{self, Query};
use crate::text::words::listed;

use super::classes::{Class, Classes};
use super::dictionary::Dictionary;
use super::outcome::{Outcome, settings};
use super::population::{Population, Series};
use super::random_clusters::RandomClusters;
use super::search::{RANDOM_CLUSTERS, most_clusters};
use super::witness::in_words;

/// A cluster that is as usual and as simple as possible.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SmallCluster {
    /// What it has, or lacks, after "a cluster".
    pub(crate) words: String,
    /// Its series, as lines of a `.series` file.
    pub(crate) series: Vec<String>,
}

/// A cluster to which a risk applies, and one to which it does not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examples {
    pub(crate) applies: Option<SmallCluster>,
    pub(crate) not_applies: Option<SmallCluster>,
}

impl Examples {
    pub(crate) fn of(query: &Query, dictionary: &Dictionary) -> Self {
        let classes = Classes::of(&[query], dictionary, FIXED_TIME);
        let [one, zero] = [Outcome::One, Outcome::Zero];
        let all = classes.some(most_clusters(query));
        let find = |wanted: &Outcome| {
            let class = most_usual(query, wanted, &classes, &all);
            class.map(|class| classes.chosen(&class).cloned().collect())
        };
        let random = |wanted: &Outcome| among_random(query, dictionary, wanted);
        let applies = find(&one).or_else(|| random(&one));
        let not_applies = find(&zero).or_else(|| random(&zero));
        Self {
            applies: cluster(applies.as_ref(), not_applies.as_ref()),
            not_applies: cluster(not_applies.as_ref(), applies.as_ref()),
        }
    }
}

/// The most usual class with an outcome, made as simple as possible.
fn most_usual(query: &Query, wanted: &Outcome, classes: &Classes, all: &[Class]) -> Option<Class> {
    let is_it = |class: &Class| {
        let answer = promql::evaluate(query, &classes.store(class), &settings());
        Outcome::of(&answer).as_ref() == Some(wanted)
    };
    let unusual = |class: &Class| class.iter().filter(|choice| **choice > 0).count();
    let found = all.iter().filter(|class| is_it(class));
    let found = found.min_by_key(|class| (classes.rarity(class), unusual(class)))?;
    Some(classes.simplest(found.clone(), is_it))
}

fn among_random(
    query: &Query,
    dictionary: &Dictionary,
    wanted: &Outcome,
) -> Option<Vec<Population>> {
    let mut clusters = RandomClusters::of(query, dictionary)?;
    (0..RANDOM_CLUSTERS).find_map(|_| {
        let cluster = clusters.next();
        let is_it = clusters.outcome(query, &cluster).as_ref() == Some(wanted);
        is_it.then(|| clusters.populations(&clusters.simplest(cluster, query, wanted)))
    })
}

/// A cluster in words that tell it from another one.
fn cluster(
    chosen: Option<&Vec<Population>>,
    other: Option<&Vec<Population>>,
) -> Option<SmallCluster> {
    let chosen: Vec<&Population> = chosen?.iter().collect();
    let other: Vec<&Population> = other.into_iter().flatten().collect();
    let series_of = |populations: &[&Population]| -> Vec<Arc<Series>> {
        populations.iter().flat_map(|population| &population.series).cloned().collect()
    };
    let (own, others) = (series_of(&chosen), series_of(&other));
    let is_among =
        |one: &Series, all: &[Arc<Series>]| all.iter().any(|two| two.line() == one.line());
    let missing = others.iter().filter(|one| !is_among(one, &own));
    let missing: Vec<String> = missing.map(|one| format!("`{}`", one.name())).collect();
    let is_part = own.iter().all(|one| is_among(one, &others));
    let lacks_metric = chosen.iter().any(|population| !population.lacking.is_empty());
    let words = if is_part && !lacks_metric && !missing.is_empty() {
        format!("without {}", listed(&missing, "or"))
    } else {
        in_words(&chosen, &other)
    };
    let series = own.iter().map(|one| one.line()).collect();
    Some(SmallCluster { words, series })
}
