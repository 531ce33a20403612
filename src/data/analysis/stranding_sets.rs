//! The smallest sets of risks that close every path to a goal: the minimal cut sets of fault trees.
//!
//! A set closes all paths of a release if it closes each of its updates: either the update itself,
//! or all paths of its target. So the sets of a release are computed from the sets of its targets.
//! Only minimal sets up to a given size are kept. This loses no smaller set, because no part of a
//! set is larger than the set.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::domain::{Arena, FastHash, HashSet};

use super::channel_graph::{ChannelGraph, ChannelUpdate, MemberId};
use super::risk_names::{RiskNameId, RiskNames};

/// Sets of risks, none of which contains another. The empty set means that there is no path, even
/// without risks.
pub(crate) type StrandingSets = Vec<Vec<RiskNameId>>;

/// How many more steps the search for sets, and for the risks whose removal helps, may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The steps left for the search for sets.
    steps: usize,
    /// The releases and updates that may still be visited in the search for risks whose removal
    /// helps.
    visits: usize,
}

/// The budget of one channel. Real channels need less than a hundredth of it.
const STEPS: usize = 4_000_000;
const VISITS: usize = 20_000_000;
/// If there are more channels, they share the budget of this many.
const FULL_SHARES: usize = 16;

impl Default for Budget {
    fn default() -> Self {
        Self { steps: STEPS, visits: VISITS }
    }
}

impl Budget {
    /// The budget of each channel.
    pub fn for_each_of(channels: usize) -> Self {
        let share = |most: usize| (most * FULL_SHARES / channels.max(FULL_SHARES)).max(1);
        Self { steps: share(STEPS), visits: share(VISITS) }
    }

    /// Whether it is used up. If so, some sets and some risks whose removal helps may be missing.
    pub fn is_spent(&self) -> bool {
        self.steps == 0 || self.visits == 0
    }

    /// Takes visits from the budget. Returns whether enough were left.
    pub(super) fn visit(&mut self, visits: usize) -> bool {
        self.visits = self.visits.saturating_sub(visits);
        self.visits > 0
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    fn give_up(&mut self) {
        self.steps = 0;
    }
}

/// The most sets to make at once, to limit memory.
const MOST_SETS: usize = 100_000;
pub(crate) const LARGEST_SET: usize = 6;

/// For each release, the sets that close all of its updates.
pub(super) fn without_exit(
    channel: &ChannelGraph,
    names: &RiskNames,
    usable: &Arena<RiskNameId, bool>,
    size: usize,
    budget: &mut Budget,
) -> Arena<MemberId, StrandingSets> {
    let of = |(_, out): (MemberId, &[ChannelUpdate])| {
        let closing = |update: &ChannelUpdate| {
            Some(alone(names.risks(update.reason), usable)).filter(|sets| !sets.is_empty())
        };
        let closing: Option<Vec<_>> = out.iter().map(closing).collect();
        closing.map_or_else(Vec::new, |closing| all_closed(closing, size, budget))
    };
    channel.out.entries().map(of).collect()
}

/// For each release, the sets that close every path to the targets.
pub(super) fn without_path_to(
    channel: &ChannelGraph,
    names: &RiskNames,
    is_target: impl Fn(MemberId) -> bool,
    usable: &Arena<RiskNameId, bool>,
    size: usize,
    budget: &mut Budget,
) -> Arena<MemberId, StrandingSets> {
    // At first, no path is known. Then the empty set closes all paths.
    let start = |at| if is_target(at) { Vec::new() } else { vec![Vec::new()] };
    let mut sets: Arena<MemberId, StrandingSets> = channel.members.ids().map(start).collect();
    // Targets come before their origins, except in cycles. Cycles are repeated until nothing
    // changes.
    for cycle in cycles(channel) {
        loop {
            let mut has_changed = false;
            for at in cycle.iter().copied().filter(|at| !is_target(*at)) {
                let out = channel.out.get(at);
                let is_closed = |update: &ChannelUpdate| {
                    !sets[update.to].is_empty()
                        || names.risks(update.reason).iter().any(|risk| usable[*risk])
                };
                // Most releases have an update that nothing closes.
                let own = if out.iter().all(is_closed) {
                    let closing = out.iter().map(|update| {
                        let mut closing = alone(names.risks(update.reason), usable);
                        closing.extend(sets[update.to].iter().cloned());
                        minimal(closing, budget)
                    });
                    let closing = closing.collect();
                    all_closed(closing, size, budget)
                } else {
                    Vec::new()
                };
                has_changed |= own != sets[at];
                sets[at] = own;
            }
            if budget.is_spent() {
                // The sets of an unfinished cycle are not valid.
                for at in cycle {
                    sets[at].clear();
                }
                break;
            }
            if !has_changed || cycle.len() == 1 {
                break;
            }
        }
    }
    sets
}

/// The releases, targets before their origins. Those that reach each other are together.
fn cycles(channel: &ChannelGraph) -> Vec<Vec<MemberId>> {
    let leads_to_newer =
        |(from, out): (MemberId, &[ChannelUpdate])| out.iter().all(|update| update.to > from);
    if channel.out.entries().all(leads_to_newer) {
        return channel.members.ids().rev().map(|at| vec![at]).collect();
    }
    let in_cycle =
        |cycle: Vec<NodeIndex>| cycle.into_iter().map(|node| MemberId::at(node.index())).collect();
    kosaraju_scc(&digraph(channel)).into_iter().map(in_cycle).collect()
}

fn digraph(channel: &ChannelGraph) -> DiGraph<(), (), u32> {
    let mut graph = DiGraph::with_capacity(channel.members.len(), 0);
    let nodes: Arena<MemberId, NodeIndex> =
        channel.members.iter().map(|_| graph.add_node(())).collect();
    for (from, out) in channel.out.entries() {
        for update in out {
            graph.add_edge(nodes[from], nodes[update.to], ());
        }
    }
    graph
}

/// The sets that close one update: each of its usable risks alone.
fn alone(risks: &[RiskNameId], usable: &Arena<RiskNameId, bool>) -> StrandingSets {
    risks.iter().filter(|risk| usable[**risk]).map(|risk| vec![*risk]).collect()
}

/// The sets that close all updates of a list. Each item has the sets that close one update.
fn all_closed(mut all: Vec<StrandingSets>, size: usize, budget: &mut Budget) -> StrandingSets {
    // Updates with few closing sets come first: an update that nothing closes ends the search, and
    // small families are fast.
    all.sort_by_key(Vec::len);
    let mut family: StrandingSets = vec![Vec::new()];
    for closing in &all {
        if family.is_empty() {
            break;
        }
        let larger = family.len().saturating_mul(closing.len());
        if larger > MOST_SETS || !budget.spend(1 + larger) {
            // Sets that close only some of the updates are not valid results.
            budget.give_up();
            return Vec::new();
        }
        let (done, open): (StrandingSets, StrandingSets) = std::mem::take(&mut family)
            .into_iter()
            .partition(|set| closing.iter().any(|one| contains(set, one)));
        family = done;
        if open.is_empty() {
            continue;
        }
        for set in &open {
            let larger = closing.iter().map(|one| union(set, one));
            family.extend(larger.filter(|larger| larger.len() <= size));
        }
        family = minimal(family, budget);
    }
    family
}

/// The sets that contain no other set, smallest first. Empty if the budget is spent.
fn minimal(mut sets: StrandingSets, budget: &mut Budget) -> StrandingSets {
    if !budget.spend(sets.iter().map(|set| 1 << set.len()).sum()) {
        return Vec::new();
    }
    sets.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    sets.dedup();
    // Different sets of one size do not contain each other.
    if sets.first().map(Vec::len) == sets.last().map(Vec::len) {
        return sets;
    }
    let mut kept: HashSet<Vec<RiskNameId>> =
        HashSet::with_capacity_and_hasher(sets.len(), FastHash::default());
    sets.retain(|set| {
        let is_minimal = !parts(set).any(|part| kept.contains(&part));
        if is_minimal {
            kept.insert(set.clone());
        }
        is_minimal
    });
    sets
}

/// All proper subsets of a set. Sets are small, so this is faster than comparing sets.
fn parts(set: &[RiskNameId]) -> impl Iterator<Item = Vec<RiskNameId>> {
    let whole = (1_usize << set.len().min(LARGEST_SET)) - 1;
    let part = |mask: usize| {
        let chosen = set.iter().enumerate().filter(move |(at, _)| mask & (1 << at) != 0);
        chosen.map(|(_, risk)| *risk).collect()
    };
    (0..whole).map(part)
}

fn contains(set: &[RiskNameId], other: &[RiskNameId]) -> bool {
    other.iter().all(|risk| set.binary_search(risk).is_ok())
}

fn union(a: &[RiskNameId], b: &[RiskNameId]) -> Vec<RiskNameId> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}
