//! Small clusters on which a query answers 1 or 0.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;

use crate::metrics::FIXED_TIME;
use crate::promql::{self, Expr, Query};
use crate::text::words::listed;

use super::classes::{Class, Classes, store};
use super::dictionary::Dictionary;
use super::outcome::{Outcome, settings};
use super::population::{Population, Series};
use super::random_clusters::RandomClusters;
use super::search::{RANDOM_CLUSTERS, most_clusters};
use super::witness::in_words;

/// How many clusters to try for each number of series.
const CROWDED_CLUSTERS: usize = 10;
/// A cluster with more series would not be small.
const MOST_SERIES: u8 = 250;

/// A cluster that is as usual and as simple as possible for its outcome.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SmallCluster {
    /// What it has or lacks, as words after "a cluster".
    pub(crate) words: String,
    /// Its series, as lines of a `.series` file.
    pub(crate) series: Vec<String>,
}

/// A cluster to which a risk applies, and a cluster to which it does not.
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
            class.map(|class| classes.chosen(&class).cloned().collect::<Vec<_>>())
        };
        let random = |wanted: &Outcome, other: Option<&Vec<Population>>| {
            let found = among_random(query, dictionary, wanted)?;
            Some(other.map_or(found.clone(), |other| like(found, other, query, wanted)))
        };
        let (usual_one, usual_zero) = (find(&one), find(&zero));
        let applies = usual_one.or_else(|| random(&one, usual_zero.as_ref()));
        let not_applies = usual_zero.or_else(|| random(&zero, applies.as_ref()));
        let both = applies.as_ref().zip(not_applies.as_ref());
        let counted = both.map(|(one, two)| counted(query, one, two)).unwrap_or_default();
        Self {
            applies: cluster(applies.as_ref(), not_applies.as_ref(), &counted),
            not_applies: cluster(not_applies.as_ref(), applies.as_ref(), &counted),
        }
    }
}

/// The most usual class with an outcome, in its simplest form.
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
    let crowds = crowds(query).into_iter().flat_map(|crowd| [Some(crowd); CROWDED_CLUSTERS]);
    iter::repeat_n(None, RANDOM_CLUSTERS).chain(crowds).find_map(|crowd| {
        let cluster = match crowd {
            Some(crowd) => clusters.next_crowded(crowd),
            None => clusters.next(),
        };
        let is_it = clusters.outcome(query, &cluster).as_ref() == Some(wanted);
        is_it.then(|| clusters.populations(&clusters.simplest(cluster, query, wanted)))
    })
}

/// A cluster with the series of another one, except for the metrics that make the difference.
fn like(
    mut cluster: Vec<Population>,
    other: &[Population],
    query: &Query,
    wanted: &Outcome,
) -> Vec<Population> {
    for at in 0..cluster.len() {
        let Some(metric) = cluster[at].series.first().map(|one| one.metric().to_owned()) else {
            continue;
        };
        let others = other.iter().flat_map(|population| &population.series);
        let others = others.filter(|one| one.metric() == metric).cloned().collect();
        let own = std::mem::replace(&mut cluster[at].series, others);
        let answer = promql::evaluate(query, &store(cluster.iter()), &settings());
        if cluster[at].series.is_empty() || Outcome::of(&answer).as_ref() != Some(wanted) {
            cluster[at].series = own;
        }
    }
    cluster
}

/// How many series to try, from the numbers in the query. The query may compare a count with a
/// number, so the first count is the next whole number above it. The query may count only some of
/// the series, so the second is four times as many.
fn crowds(query: &Query) -> BTreeSet<usize> {
    let numbers = query.nodes().filter_map(|(_, node)| match node.expr {
        Expr::Number(number) => Some(number),
        _ => None,
    });
    let next = |number: f64| (1..=MOST_SERIES).find(|count| f64::from(*count) > number);
    let counts = numbers.filter_map(next);
    let crowds = counts.flat_map(|count| [count, count.saturating_mul(4).min(MOST_SERIES)]);
    crowds.map(usize::from).collect()
}

/// The metrics whose number of series matters for the outcome: one cluster has more series of the
/// metric, and its outcome changes without those that the other cluster also has.
fn counted(query: &Query, one: &[Population], two: &[Population]) -> BTreeSet<String> {
    let series = |cluster: &[Population]| -> Vec<Arc<Series>> {
        cluster.iter().flat_map(|population| &population.series).cloned().collect()
    };
    let outcome = |cluster: &[Population]| {
        Outcome::of(&promql::evaluate(query, &store(cluster.iter()), &settings()))
    };
    let (of_one, of_two) = (series(one), series(two));
    let metrics: BTreeSet<&str> = of_one.iter().chain(&of_two).map(|one| one.metric()).collect();
    let mut counted = BTreeSet::new();
    for metric in metrics {
        let count = |all: &[Arc<Series>]| all.iter().filter(|one| one.metric() == metric).count();
        let (cluster, smaller) = match count(&of_one).cmp(&count(&of_two)) {
            Ordering::Less => (two, &of_one),
            Ordering::Equal => continue,
            Ordering::Greater => (one, &of_two),
        };
        let mut without = cluster.to_vec();
        for population in &mut without {
            population.series.retain(|one| one.metric() != metric || !is_among(one, smaller));
        }
        if outcome(&without) != outcome(cluster) {
            counted.insert(metric.to_owned());
        }
    }
    counted
}

fn is_among(one: &Series, all: &[Arc<Series>]) -> bool {
    all.iter().any(|other| other.line() == one.line())
}

/// Describes a cluster by what tells it from another one.
fn cluster(
    chosen: Option<&Vec<Population>>,
    other: Option<&Vec<Population>>,
    counted: &BTreeSet<String>,
) -> Option<SmallCluster> {
    let chosen: Vec<&Population> = chosen?.iter().collect();
    let other: Vec<&Population> = other.into_iter().flatten().collect();
    let series_of = |populations: &[&Population]| -> Vec<Arc<Series>> {
        populations.iter().flat_map(|population| &population.series).cloned().collect()
    };
    let (own, others) = (series_of(&chosen), series_of(&other));
    let missing = others.iter().filter(|one| !is_among(one, &own));
    let missing: Vec<String> = missing.map(|one| format!("`{}`", one.name())).collect();
    let is_part = own.iter().all(|one| is_among(one, &others));
    let lacks_metric = chosen.iter().any(|population| !population.lacking.is_empty());
    let is_counted = |one: &Arc<Series>| counted.contains(one.metric());
    let few = own.iter().filter(|one| is_counted(one)).map(|one| format!("`{}`", one.line()));
    let few: Vec<String> = few.collect();
    let words = match (is_part && !lacks_metric && !missing.is_empty(), few.as_slice()) {
        (true, []) => format!("without {}", listed(&missing, "or")),
        (true, few) => format!("with only {}", listed(few, "and")),
        (false, _) => {
            let usual = other.iter().filter(|population| !population.series.iter().any(is_counted));
            in_words(&chosen, &usual.copied().collect::<Vec<_>>())
        }
    };
    let series = own.iter().map(|one| one.line()).collect();
    Some(SmallCluster { words, series })
}
