//! The risks of a channel, ranked by what the removal of each one unblocks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::channel_graph::MemberId;
use super::risk_names::RiskNameId;
use super::simulation::Simulated;

/// What the removal of one risk alone would do for the stranded releases of a channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankedRisk {
    /// The risk.
    pub risk: RiskNameId,
    /// How many releases would be unblocked: reach all that they cannot reach now.
    pub releases: usize,
    /// How many clusters run these, where that is known.
    pub clusters: Option<u64>,
    /// In how many of the smallest sets of risks that strand releases it is.
    pub sets: usize,
    /// How many of these sets there are.
    pub all_sets: usize,
}

/// The risks that strand releases of a channel, the one that unblocks most first.
/// `clusters` tells how many clusters run a release, where that is known.
#[must_use]
pub(crate) fn ranked_risks(
    channel: &Simulated,
    clusters: Option<&dyn Fn(&str) -> u64>,
) -> Vec<RankedRisk> {
    // A release is unblocked if the removal of the risk helps it with every goal.
    let mut helped: BTreeMap<MemberId, BTreeSet<RiskNameId>> = BTreeMap::new();
    let mut in_sets: BTreeMap<RiskNameId, usize> = BTreeMap::new();
    let mut all_sets = 0;
    for one in &channel.stranded {
        let by: BTreeSet<RiskNameId> = one.unblocked_by.iter().copied().collect();
        let known = helped.entry(one.release).or_insert_with(|| by.clone());
        known.retain(|risk| by.contains(risk));
        let sets = one.sets.iter().filter(|set| !set.is_empty());
        all_sets += sets.clone().count();
        for risk in sets.flatten() {
            *in_sets.entry(*risk).or_default() += 1;
        }
    }
    let fix = |(risk, sets): (RiskNameId, usize)| {
        let unblocked = helped.iter().filter(|(_, by)| by.contains(&risk)).map(|(at, _)| *at);
        let unblocked: Vec<MemberId> = unblocked.collect();
        let of_release = |count: &dyn Fn(&str) -> u64| {
            unblocked.iter().map(|at| count(channel.graph.version(*at))).sum()
        };
        let (releases, clusters) = (unblocked.len(), clusters.map(of_release));
        RankedRisk { risk, releases, clusters, sets, all_sets }
    };
    let mut ranked_risks: Vec<RankedRisk> = in_sets.into_iter().map(fix).collect();
    ranked_risks
        .sort_by_key(|fix| Reverse((fix.clusters, fix.releases, fix.sets, Reverse(fix.risk))));
    ranked_risks
}
