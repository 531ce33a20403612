//! Which clusters a changed query newly affects, and which it no longer affects.

use std::collections::BTreeMap;

use crate::cluster::Exposure;
use crate::coverage::{Dictionary, Difference, Example};
use crate::domain::Named;
use crate::graph_data::{Affected, BlockedEdge, Queries};
use crate::metrics::{Question, SampleCluster, Source};
use crate::promql::{self, Dialect, Limits};

/// The most queries to compare, because each takes some milliseconds. Real changes have fewer.
const MOST_COMPARED: usize = 50;

/// The effect of a changed query, for some targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryChange {
    /// The targets, oldest first.
    pub targets: Vec<String>,
    /// The clusters that are affected only according to the new query.
    pub caught: Clusters,
    /// The clusters that are affected only according to the old query.
    pub missed: Clusters,
    /// Whether a missing example means that there are no such clusters.
    pub is_complete: bool,
}

/// Clusters for which the change of a query matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// The names of sample clusters.
    pub samples: Vec<&'static str>,
    /// What is special about a small example cluster, as words after "a cluster".
    pub example: Option<String>,
    /// The series of that cluster, as lines of a `.series` file.
    pub series: Vec<String>,
}

/// The targets of each changed query, by its text before and after.
#[derive(Default)]
pub(super) struct ChangedQueries<'d>(BTreeMap<(&'d str, &'d str), Vec<String>>);

impl<'d> ChangedQueries<'d> {
    pub(super) fn add(&mut self, target: &str, before: &'d BlockedEdge, after: &'d BlockedEdge) {
        if let (Some(old), Some(new)) = (only_query(before), only_query(after))
            && old != new
        {
            self.0.entry((old, new)).or_default().push(target.to_owned());
        }
    }

    /// Compares the queries. `known` has the new queries, and the versions that they are for.
    pub(super) fn compared(self, known: &Queries) -> Vec<QueryChange> {
        let changes = self.0.into_iter().take(MOST_COMPARED);
        let compared = changes.filter_map(|((old, new), targets)| {
            let reading = known.reading(new);
            let dictionary = reading.map_or(known.dictionary(), |new| known.dictionary_of(new));
            compare(old, new, targets, dictionary)
        });
        compared.collect()
    }
}

/// The query of a declaration whose only rule is a query.
fn only_query(edge: &BlockedEdge) -> Option<&str> {
    let Affected::MatchingRules(rules) = &edge.affected else { return None };
    match rules.as_slice() {
        [rule] => Some(rule.query.as_ref()?.value.trim_end()),
        _ => None,
    }
}

/// Compares two queries. None if one of them is invalid.
fn compare(
    before: &str,
    after: &str,
    targets: Vec<String>,
    dictionary: &Dictionary,
) -> Option<QueryChange> {
    let queries = (promql::parse(before).ok()?, promql::parse(after).ok()?);
    let difference = Difference::of(&queries.0, &queries.1, dictionary);
    let clusters = |samples: Vec<&'static str>, example: Option<Example>| Clusters {
        samples,
        series: example.as_ref().map(|one| one.series.clone()).unwrap_or_default(),
        example: example.map(|one| {
            let (before, after) = (one.before.in_words(), one.after.in_words());
            format!("{}: the old query {before}, and the new one {after}", one.words)
        }),
    };
    let exposed = (exposed_samples(before), exposed_samples(after));
    let without = |some: &[&'static str], others: &[&'static str]| {
        some.iter().copied().filter(|name| !others.contains(name)).collect()
    };
    Some(QueryChange {
        targets,
        caught: clusters(without(&exposed.1, &exposed.0), difference.caught),
        missed: clusters(without(&exposed.0, &exposed.1), difference.missed),
        is_complete: difference.is_complete,
    })
}

/// The sample clusters that are affected according to a query.
fn exposed_samples(text: &str) -> Vec<&'static str> {
    let question = Question::new(text);
    let limits = Limits::shared_by(SampleCluster::ALL.len());
    let is_exposed = |cluster: &&SampleCluster| is_exposed(**cluster, &question, limits);
    SampleCluster::ALL.iter().filter(is_exposed).map(|cluster| cluster.name()).collect()
}

fn is_exposed(cluster: SampleCluster, question: &Question, limits: Limits) -> bool {
    let source = Source::Series(cluster.series(None), Dialect::Three);
    let exposure = Exposure::of_answer(source.answer(question, limits), source.time());
    exposure == Ok(Exposure::Exposed)
}
