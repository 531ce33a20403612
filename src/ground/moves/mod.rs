//! Where something moves in a graph: nodes, edges, and a policy that chooses among the edges.
//!
//! This room does not know what the nodes stand for.

mod walk;

use crate::domain::{Arena, Buckets, ids};

ids! {
    /// A node of a [`Network`].
    NodeId;
}

/// An edge from what is installed to what can replace it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub from: NodeId,
    pub to: NodeId,
}

/// Which edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// All edges are followed.
    AllEdges,
    /// Each node moves to the target with the best rank. Nodes without a rank are not targets. A
    /// node that is itself the best target of its edges stays.
    BestRanked,
}

/// Nodes and edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network {
    /// The edges, without duplicates.
    pub edges: Vec<Edge>,
    /// The rank of each node, the best first.
    pub ranks: Arena<NodeId, Option<u32>>,
}

/// Where each node moves.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    next: Buckets<NodeId, NodeId>,
}

impl Network {
    pub(crate) fn moves(&self, policy: Policy) -> Moves {
        let nodes = self.ranks.len();
        let edges = self.edges.iter().map(|edge| (edge.from, edge.to));
        let next = match policy {
            Policy::AllEdges => Buckets::of(nodes, edges.filter(|(from, to)| from != to)),
            Policy::BestRanked => {
                let mut best: Arena<NodeId, Option<(u32, NodeId)>> = Arena::filled(nodes, None);
                for (from, to) in edges {
                    if let Some(rank) = self.ranks[to] {
                        let found = (rank, to);
                        best[from] = Some(best[from].map_or(found, |known| known.min(found)));
                    }
                }
                let moves: Vec<(NodeId, NodeId)> = best
                    .entries()
                    .filter_map(|(from, best)| Some((from, (*best)?.1)))
                    .filter(|(from, to)| from != to)
                    .collect();
                Buckets::of(nodes, moves.into_iter())
            }
        };
        Moves { next }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, Network, NodeId, Policy};
    use crate::domain::Arena;

    fn network(ranks: &[Option<u32>], edges: &[(usize, usize)]) -> Network {
        let edges =
            edges.iter().map(|(from, to)| Edge { from: NodeId::at(*from), to: NodeId::at(*to) });
        Network { edges: edges.collect(), ranks: ranks.iter().copied().collect::<Arena<_, _>>() }
    }

    #[test]
    fn the_best_target_wins_and_a_node_can_be_its_own() {
        let network = network(
            &[None, Some(2), Some(1), Some(0)],
            &[(0, 1), (0, 2), (1, 0), (2, 2), (2, 1), (1, 3), (1, 2)],
        );
        let moves = network.moves(Policy::BestRanked);
        let next = |node| -> Vec<usize> {
            moves.next(NodeId::at(node)).iter().map(|to| to.index()).collect()
        };
        assert_eq!([0, 1, 2, 3].map(next), [vec![2], vec![3], vec![], vec![]]);
        let all = network.moves(Policy::AllEdges);
        assert_eq!(all.next(NodeId::at(2)), [NodeId::at(1)]);
    }
}
