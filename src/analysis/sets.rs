//! The smallest sets of risks that close every way to a goal.
//!
//! A set closes a release's ways when, of each of its updates, it closes the update itself
//! or the ways of its target. So the sets of a release are made from those of its targets:
//! of each update, the sets that close it; and of all updates together, what closes each of
//! them. Only sets that contain no smaller one are kept, up to a size; that loses none of
//! the smaller ones, because no part of a set is larger than the whole. They are the minimal
//! cut sets of fault trees.

use std::collections::HashSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::names::Names;
use super::ways::{Way, Ways};

/// Sets of risks, none of which contains another; the empty set says that nothing needs to
/// be closed.
pub type Family = Vec<Vec<u32>>;

/// How much may be tried before it is called enough.
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
    /// Whether it is used up: then some sets may be missing.
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
pub const LARGEST: usize = 6;

/// For each release, the sets that leave it without any update.
pub(super) fn without_exit(
    ways: &Ways,
    names: &Names,
    usable: &[bool],
    size: usize,
    budget: &mut Budget,
) -> Vec<Family> {
    let of = |out: &Vec<Way>| {
        let closing = out.iter().map(|way| alone(names.risks(way.reason), usable));
        all_closed(closing.collect(), size, budget)
    };
    ways.out.iter().map(of).collect()
}

/// For each release, the sets that close every way to the goals.
pub(super) fn without_way_to(
    (ways, names): (&Ways, &Names),
    goals: impl Fn(usize) -> bool,
    usable: &[bool],
    size: usize,
    budget: &mut Budget,
) -> Vec<Family> {
    let edges = (0..).zip(&ways.out);
    let edges = edges.flat_map(|(from, out)| out.iter().map(move |way| (from, way.to)));
    let mut graph: DiGraph<(), (), u32> = DiGraph::new();
    for _ in 0..ways.len() {
        graph.add_node(());
    }
    edges.for_each(|(from, to): (u32, u32)| _ = graph.add_edge(from.into(), to.into(), ()));
    // At first, nothing is known to lead to a goal: the empty set closes it all.
    let mut families: Vec<Family> =
        (0..ways.len()).map(|at| if goals(at) { Vec::new() } else { vec![Vec::new()] }).collect();
    // Targets come before those that lead to them, but for circles, which are gone round until
    // nothing changes.
    for circle in kosaraju_scc(&graph) {
        loop {
            let mut has_changed = false;
            for node in &circle {
                let at = node.index();
                if goals(at) {
                    continue;
                }
                let closing = ways.out[at].iter().map(|way| {
                    let mut sets = alone(names.risks(way.reason), usable);
                    sets.extend(families[way.to as usize].iter().cloned());
                    minimal(sets, budget)
                });
                let closing = closing.collect();
                let family = all_closed(closing, size, budget);
                has_changed |= family != families[at];
                families[at] = family;
            }
            if budget.is_spent() {
                // Who has not gone round to the end does not know yet what is open.
                for node in &circle {
                    families[node.index()].clear();
                }
                break;
            }
            if !has_changed || circle.len() == 1 {
                break;
            }
        }
    }
    families
}

/// The sets that close one update: each of its risks by itself.
fn alone(risks: &[u32], usable: &[bool]) -> Family {
    risks.iter().filter(|risk| usable[**risk as usize]).map(|risk| vec![*risk]).collect()
}

/// The sets that close all of some updates, each of which is closed by certain sets.
fn all_closed(mut all: Vec<Family>, size: usize, budget: &mut Budget) -> Family {
    // An update that nothing closes is a way out; and few choices come first.
    all.sort_by_key(Vec::len);
    let mut family: Family = vec![Vec::new()];
    for closing in &all {
        if family.is_empty() {
            break;
        }
        let larger = family.len().saturating_mul(closing.len());
        if larger > MOST || !budget.spend(1 + larger) {
            // What closes some of the updates only is no answer.
            budget.give_up();
            return Vec::new();
        }
        let (done, open): (Family, Family) = std::mem::take(&mut family)
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
fn minimal(mut sets: Family, budget: &mut Budget) -> Family {
    if !budget.spend(sets.iter().map(|set| 1 << set.len()).sum()) {
        return Vec::new();
    }
    sets.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    sets.dedup();
    let mut kept: HashSet<Vec<u32>> = HashSet::with_capacity(sets.len());
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
fn parts(set: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let whole = (1_usize << set.len().min(LARGEST)) - 1;
    let part = |mask: usize| {
        let chosen = set.iter().enumerate().filter(move |(at, _)| mask & (1 << at) != 0);
        chosen.map(|(_, risk)| *risk).collect()
    };
    (0..whole).map(part)
}

/// Whether a set contains another; both are in order.
fn contains(set: &[u32], other: &[u32]) -> bool {
    other.iter().all(|risk| set.binary_search(risk).is_ok())
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}
