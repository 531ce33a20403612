//! The smallest sets of risks that close every path to a goal: the minimal cut sets of fault trees.
//!
//! A set closes a release's paths when it closes each of its updates: the update itself, or the
//! paths of its target. So the sets of a release are made from the sets of its targets. Only sets
//! that contain no smaller one are kept, up to a size. That loses none of the smaller ones, because
//! no part of a set is larger than the whole.

use std::collections::HashSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::domain::Arena;

use super::channel_graph::{ChannelGraph, ChannelUpdate, MemberId};
use super::risk_names::{RiskNameId, RiskNames};

/// Sets of risks, none of which contains another. The empty set says that there is no path, even
/// without risks.
pub(crate) type StrandingSets = Vec<Vec<RiskNameId>>;

/// How much work the search for sets may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: 8_000_000 }
    }
}

impl Budget {
    /// Whether it is used up, so that some sets may be missing.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.left > 0
    }

    fn give_up(&mut self) {
        self.left = 0;
    }
}

/// The most sets that are made at once: more would take much memory.
const MOST: usize = 100_000;
/// The largest sets that are looked for.
pub(crate) const LARGEST: usize = 6;

/// For each release, the sets that leave it without any update.
pub(super) fn without_exit(
    (channel, names): (&ChannelGraph, &RiskNames),
    usable: &Arena<RiskNameId, bool>,
    size: usize,
    budget: &mut Budget,
) -> Arena<MemberId, StrandingSets> {
    let of = |out: &Vec<ChannelUpdate>| {
        let closing = out.iter().map(|update| alone(names.risks(update.reason), usable));
        all_closed(closing.collect(), size, budget)
    };
    channel.out.iter().map(of).collect()
}

/// For each release, the sets that close every path to the targets.
pub(super) fn without_path_to(
    (channel, names): (&ChannelGraph, &RiskNames),
    is_target: impl Fn(MemberId) -> bool,
    usable: &Arena<RiskNameId, bool>,
    size: usize,
    budget: &mut Budget,
) -> Arena<MemberId, StrandingSets> {
    // At first, no path to a target is known: the empty set closes them all.
    let start = |at| if is_target(at) { Vec::new() } else { vec![Vec::new()] };
    let mut sets: Vec<StrandingSets> = channel.members.ids().map(start).collect();
    // Targets come before those that lead to them, except in cycles: these are repeated until
    // nothing changes.
    for cycle in kosaraju_scc(&digraph(channel)) {
        let cycle = || cycle.iter().map(|node| MemberId::at(node.index()));
        loop {
            let mut has_changed = false;
            for at in cycle().filter(|at| !is_target(*at)) {
                let closing = channel.out[at].iter().map(|update| {
                    let mut closing = alone(names.risks(update.reason), usable);
                    closing.extend(sets[update.to.index()].iter().cloned());
                    minimal(closing, budget)
                });
                let closing = closing.collect();
                let own = all_closed(closing, size, budget);
                has_changed |= own != sets[at.index()];
                sets[at.index()] = own;
            }
            if budget.is_spent() {
                // An unfinished cycle does not know yet what is open.
                cycle().for_each(|at| sets[at.index()].clear());
                break;
            }
            if !has_changed || cycle().len() == 1 {
                break;
            }
        }
    }
    sets.into_iter().collect()
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

/// The sets that close one update: each of its risks by itself.
fn alone(risks: &[RiskNameId], usable: &Arena<RiskNameId, bool>) -> StrandingSets {
    risks.iter().filter(|risk| usable[**risk]).map(|risk| vec![*risk]).collect()
}

/// The sets that close all of some updates, each of which is closed by certain sets.
fn all_closed(mut all: Vec<StrandingSets>, size: usize, budget: &mut Budget) -> StrandingSets {
    // An update that nothing closes decides, and few choices are quick: both come first.
    all.sort_by_key(Vec::len);
    let mut family: StrandingSets = vec![Vec::new()];
    for closing in &all {
        if family.is_empty() {
            break;
        }
        let larger = family.len().saturating_mul(closing.len());
        if larger > MOST || !budget.spend(1 + larger) {
            // Sets that close only some of the updates are not an answer.
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

/// Those sets that contain no other, the smaller first; none where the budget is spent.
fn minimal(mut sets: StrandingSets, budget: &mut Budget) -> StrandingSets {
    if !budget.spend(sets.iter().map(|set| 1 << set.len()).sum()) {
        return Vec::new();
    }
    sets.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    sets.dedup();
    let mut kept: HashSet<Vec<RiskNameId>> = HashSet::with_capacity(sets.len());
    sets.retain(|set| {
        let is_minimal = !parts(set).any(|part| kept.contains(&part));
        if is_minimal {
            kept.insert(set.clone());
        }
        is_minimal
    });
    sets
}

/// Every proper part of a set. Sets are small: this is cheaper than to compare them.
fn parts(set: &[RiskNameId]) -> impl Iterator<Item = Vec<RiskNameId>> {
    let whole = (1_usize << set.len().min(LARGEST)) - 1;
    let part = |mask: usize| {
        let chosen = set.iter().enumerate().filter(move |(at, _)| mask & (1 << at) != 0);
        chosen.map(|(_, risk)| *risk).collect()
    };
    (0..whole).map(part)
}

/// Whether a set contains another; both are in order.
fn contains(set: &[RiskNameId], other: &[RiskNameId]) -> bool {
    other.iter().all(|risk| set.binary_search(risk).is_ok())
}

fn union(a: &[RiskNameId], b: &[RiskNameId]) -> Vec<RiskNameId> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}
