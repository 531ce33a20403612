//! Ranks the risks of a channel by what the removal of each one unblocks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::channel_graph::MemberId;
use super::risk_names::RiskNameId;
use super::simulation::SimulatedChannel;

/// What happens to the stranded releases of a channel if only this risk is removed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankedRisk {
    pub risk: RiskNameId,
    /// The number of unblocked releases. They reach all the goals that they cannot reach now.
    pub releases: usize,
    /// The number of clusters that run these releases. None if that is unknown.
    pub clusters: Option<u64>,
    /// The number of stranding sets that contain the risk.
    pub sets: usize,
    pub all_sets: usize,
}

/// The risks that strand releases of a channel, sorted by what their removal unblocks, most first.
/// `clusters` returns how many clusters of the channel run a release. None if that is unknown.
pub(crate) fn ranked_risks(
    channel: &SimulatedChannel,
    clusters: Option<&dyn Fn(&str) -> u64>,
) -> Vec<RankedRisk> {
    // A release is unblocked if the removal of the risk helps with each of its goals.
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
    let mut unblocked: BTreeMap<RiskNameId, Vec<MemberId>> = BTreeMap::new();
    for (at, by) in &helped {
        for risk in by {
            unblocked.entry(*risk).or_default().push(*at);
        }
    }
    let fix = |(risk, sets): (RiskNameId, usize)| {
        let unblocked = unblocked.get(&risk).map_or(&[][..], Vec::as_slice);
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
