//! Which fix helps most: the risks of a channel, ranked by what removing each one unblocks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::simulation::Simulated;

/// What the end of one risk alone would do for the stranded releases of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The risk, by its id.
    pub risk: u32,
    /// How many releases would be unblocked: reach all that they cannot reach now.
    pub releases: usize,
    /// How many clusters run these, where that is known.
    pub clusters: Option<u64>,
    /// In how many of the smallest sets of risks that strand releases it is.
    pub sets: usize,
    /// How many of these sets there are.
    pub all_sets: usize,
}

/// The risks that strand releases of a channel, the one whose end alone unblocks most first.
/// `clusters` tells how many clusters run a release, where that is known.
#[must_use]
pub fn fixes(channel: &Simulated, clusters: Option<&dyn Fn(&str) -> u64>) -> Vec<Fix> {
    // A release is unblocked where the end of the risk helps it with every goal.
    let mut helped: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    let mut in_sets: BTreeMap<u32, usize> = BTreeMap::new();
    let mut all_sets = 0;
    for one in &channel.stranded {
        let by: BTreeSet<u32> = one.freed_by.iter().copied().collect();
        let known = helped.entry(one.release).or_insert_with(|| by.clone());
        known.retain(|risk| by.contains(risk));
        let sets = one.sets.iter().filter(|set| !set.is_empty());
        all_sets += sets.clone().count();
        for risk in sets.flatten() {
            *in_sets.entry(*risk).or_default() += 1;
        }
    }
    let fix = |(risk, sets): (u32, usize)| {
        let unblocked = helped.iter().filter(|(_, by)| by.contains(&risk)).map(|(at, _)| *at);
        let unblocked: Vec<usize> = unblocked.collect();
        let of_release = |count: &dyn Fn(&str) -> u64| {
            unblocked.iter().map(|at| count(&channel.ways.versions[*at])).sum()
        };
        let (releases, clusters) = (unblocked.len(), clusters.map(of_release));
        Fix { risk, releases, clusters, sets, all_sets }
    };
    let mut fixes: Vec<Fix> = in_sets.into_iter().map(fix).collect();
    fixes.sort_by_key(|fix| Reverse((fix.clusters, fix.releases, fix.sets, Reverse(fix.risk))));
    fixes
}
