//! Tests a proof: evaluates the query on clusters that the proof did not use.

use crate::domain::Named;
use crate::metrics::SampleCluster;
use crate::promql::{self, Query};

use super::dictionary::Dictionary;
use super::outcome::{Outcome, settings};
use super::random_clusters::RandomClusters;

/// The number of random clusters to try.
const RANDOM_CLUSTERS: usize = 50;

/// What contradicts the proof that each cluster gets one sample, 0 or 1: a cluster and its answer,
/// to follow "but".
pub(super) fn contradiction(query: &Query, dictionary: &Dictionary) -> Option<String> {
    let samples = SampleCluster::ALL
        .iter()
        .filter(|cluster| !cluster.is_hosted() && has_what_all_have(**cluster, query, dictionary));
    let mut wrong = samples.filter_map(|cluster| Some((cluster, fault(*cluster, query)?)));
    if let Some((cluster, outcome)) = wrong.next() {
        let (name, answers) = (cluster.name(), outcome.in_words());
        return Some(format!("on the sample cluster `{name}`, it {answers}"));
    }
    let mut clusters = RandomClusters::of(query, dictionary)?;
    (0..RANDOM_CLUSTERS).find_map(|_| {
        let cluster = clusters.next();
        let outcome = clusters.outcome(query, &cluster).filter(Outcome::is_wrong)?;
        Some(format!("on a random cluster, it {}", outcome.in_words()))
    })
}

/// What goes wrong on a sample cluster with a hosted control plane: its name, and the outcome.
/// `text` is the query of a risk.
pub(super) fn hosted_fault(text: &str) -> Option<(&'static str, Outcome)> {
    let hosted = SampleCluster::ALL.iter().filter(|cluster| cluster.is_hosted());
    hosted.into_iter().find_map(|cluster| {
        let query = promql::parse(&cluster.series_of(&[]).as_asked(text)).ok()?;
        Some((cluster.name(), fault(*cluster, &query)?))
    })
}

fn fault(cluster: SampleCluster, query: &Query) -> Option<Outcome> {
    let metrics: Vec<&str> = query.metrics().collect();
    let answer = promql::evaluate(query, &cluster.series_of(&metrics).store, &settings());
    Outcome::of(&answer).filter(Outcome::is_wrong)
}

/// Whether a sample cluster has each metric of a query that all such clusters should have. It may
/// lack one because it has another version or broken monitoring, or because only the repository
/// describes the metric.
fn has_what_all_have(cluster: SampleCluster, query: &Query, dictionary: &Dictionary) -> bool {
    query.metrics().all(|name| {
        let is_demanded = dictionary.metric(name).is_none_or(|metric| {
            let is_on = |name: &str| !cluster.has_off(name);
            metric.is_always_present()
                || metric.versions() != (None, None)
                || metric.is_absent()
                || metric.has_capability_only() && metric.capability().is_some_and(is_on)
        });
        !is_demanded || cluster.has_metric(name)
    })
}
