//! Which updates mean something else in another state of a repository.

use petgraph::graph::NodeIndex;

use crate::domain::{Arena, HashMap, HashSet};
use crate::graph::{ReasonId, Release, UpdateGraph};

use super::risk_names::RiskNames;

/// What a simulation sees of a reason: the names of its risks, each with whether it affects all
/// clusters, and whether a block is left without them. None for no names: nobody takes the update.
type Meaning<'g> = (Option<Vec<(&'g str, bool)>>, bool);

/// The targets of updates that mean something else in the second graph. None if the graphs do not
/// have the same channels, releases, and updates.
pub(crate) fn changed_targets(
    (before, old_names): (&UpdateGraph, &RiskNames),
    (after, new_names): (&UpdateGraph, &RiskNames),
) -> Option<HashSet<NodeIndex>> {
    let (old_edges, new_edges) = (before.graph.raw_edges(), after.graph.raw_edges());
    let have_same_parts = before.channels == after.channels
        && before.unlikely == after.unlikely
        && (&before.doubles, &before.dangling) == (&after.doubles, &after.dangling)
        && old_edges.len() == new_edges.len()
        && have_same_releases(before, after);
    if !have_same_parts {
        return None;
    }
    let mut numbers = HashMap::default();
    let old = numbered(&mut numbers, before, old_names);
    let new = numbered(&mut numbers, after, new_names);
    let mut changed = HashSet::default();
    for (one, other) in old_edges.iter().zip(new_edges) {
        let has_same_ends = (one.source(), one.target()) == (other.source(), other.target());
        if !has_same_ends || one.weight.knowledge != other.weight.knowledge {
            return None;
        }
        if old[one.weight.reason] != new[other.weight.reason] {
            changed.insert(other.target());
        }
    }
    Some(changed)
}

fn have_same_releases(before: &UpdateGraph, after: &UpdateGraph) -> bool {
    let are_alike = |one: &Release, other: &Release| {
        one.text == other.text
            && one.channels == other.channels
            && one.is_abstract == other.is_abstract
            && one.has_known_origins == other.has_known_origins
    };
    let mut pairs = before.graph.node_weights().zip(after.graph.node_weights());
    before.graph.node_count() == after.graph.node_count()
        && pairs.all(|(one, other)| are_alike(one, other))
}

/// Reasons with the same meaning have the same number.
fn numbered<'g>(
    numbers: &mut HashMap<Meaning<'g>, usize>,
    graph: &UpdateGraph,
    names: &'g RiskNames,
) -> Arena<ReasonId, usize> {
    let reasons = graph.reasons.ids().map(|reason| {
        let risk = |id| (names.name(id), names.is_always(id));
        let risks = (!names.closes_for_all(reason))
            .then(|| names.risks(reason).iter().map(|id| risk(*id)).collect());
        let next = numbers.len();
        *numbers.entry((risks, names.hides_block(reason))).or_insert(next)
    });
    reasons.collect()
}
