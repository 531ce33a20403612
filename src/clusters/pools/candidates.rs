//! Which nodes the operator could update now, how many, and in which order.

use std::cmp::Ordering;

use super::node::Node;
use super::pool::Pool;

/// The label with the zone of a node.
pub(crate) const ZONE: &str = "topology.kubernetes.io/zone";

/// The nodes that could start updating, and how many of them may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates<'c> {
    pub nodes: Vec<&'c Node>,
    pub capacity: usize,
}

/// How many more nodes may start.
///
/// A node that fails at the target takes a slot, because it may start to work again. If it is also
/// cordoned, it is unavailable, too, and takes two slots.
pub(crate) fn capacity(max: i64, unavailable: usize, failing_at_target: usize) -> usize {
    let max = usize::try_from(max).unwrap_or(0);
    max.saturating_sub(unavailable).saturating_sub(failing_at_target)
}

/// The nodes of a pool that could start updating now.
pub fn candidates<'c>(pool: &Pool, nodes: &[&'c Node], max: i64) -> Candidates<'c> {
    let unavailable = nodes.iter().filter(|node| node.is_unavailable()).count();
    let (told, others): (Vec<&Node>, Vec<&Node>) =
        nodes.iter().partition(|node| node.is_told(&pool.target));
    let failing = told.iter().filter(|node| node.is_failing()).count();
    match capacity(max, unavailable, failing) {
        0 => Candidates::default(),
        capacity => {
            let nodes = others.into_iter().filter(|node| node.is_ready()).collect();
            Candidates { nodes, capacity }
        }
    }
}

/// What decides when a node starts: its zone, and when it was created.
pub(super) type Turn<'n> = (Option<&'n str>, Option<i64>);

/// The order in which nodes start if not all may start at once: by zone, and the oldest first. An
/// empty zone comes first, and nodes without a zone come last.
pub(super) fn candidate_order(one: Turn<'_>, other: Turn<'_>) -> Ordering {
    one.0.is_none().cmp(&other.0.is_none()).then_with(|| one.cmp(&other))
}

/// Whether the operator's own node has to wait for other candidates.
pub(super) fn defers_operator(pool: &str, candidates: usize) -> bool {
    pool == "master" && candidates > 1
}

/// The nodes to start, and whether the operator has a fixed order for them.
pub(super) fn first(mut candidates: Candidates<'_>) -> (Vec<&Node>, bool) {
    let is_cut = candidates.nodes.len() > candidates.capacity;
    if is_cut {
        candidates.nodes.sort_by(|one, other| candidate_order(turn(one), turn(other)));
        candidates.nodes.truncate(candidates.capacity);
    }
    let is_ordered = is_cut || candidates.nodes.len() <= 1;
    (candidates.nodes, is_ordered)
}

fn turn(node: &Node) -> Turn<'_> {
    (node.labels.get(ZONE).map(String::as_str), node.created)
}

#[cfg(test)]
mod tests {
    use super::{candidate_order, capacity};

    #[test]
    fn a_failing_cordoned_node_takes_two_slots() {
        assert_eq!(capacity(2, 1, 1), 0);
        assert_eq!(capacity(3, 1, 1), 1);
        assert_eq!(capacity(-1, 0, 0), 0);
    }

    #[test]
    fn an_empty_zone_is_first_and_no_zone_is_last() {
        let mut nodes = [
            (None, None),
            (Some("a"), Some(9)),
            (Some("a"), None),
            (Some(""), Some(7)),
            (Some("B"), Some(8)),
        ];
        nodes.sort_by(|one, other| candidate_order(*one, *other));
        let zones: Vec<Option<&str>> = nodes.iter().map(|node| node.0).collect();
        assert_eq!(zones, [Some(""), Some("B"), Some("a"), Some("a"), None]);
        assert_eq!(nodes[2].1, None, "the zero time is the oldest");
    }
}
