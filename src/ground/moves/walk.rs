//! Walks along moves.

use std::collections::VecDeque;

use crate::domain::{Arena, Buckets};

use super::{Moves, NodeId};

impl Moves {
    /// Where a node moves.
    pub fn next(&self, node: NodeId) -> &[NodeId] {
        self.next.get(node)
    }

    /// How many moves each node is away from the nearest goal. None if it never reaches one.
    pub fn distances(&self, goals: &[NodeId]) -> Arena<NodeId, Option<usize>> {
        let nodes = self.next.len();
        let back =
            self.next.ids().flat_map(|from| self.next.get(from).iter().map(move |to| (*to, from)));
        let back: Vec<(NodeId, NodeId)> = back.collect();
        let back: Buckets<NodeId, NodeId> = Buckets::of(nodes, back.into_iter());
        let mut distances = Arena::filled(nodes, None);
        let mut open: VecDeque<(NodeId, usize)> = goals.iter().map(|goal| (*goal, 0)).collect();
        while let Some((node, distance)) = open.pop_front() {
            if distances[node].is_none() {
                distances[node] = Some(distance);
                open.extend(back.get(node).iter().map(|from| (*from, distance + 1)));
            }
        }
        distances
    }

    /// A shortest path, with both ends.
    pub fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        let distances = self.distances(&[to]);
        let mut path = vec![from];
        let mut at = from;
        while at != to {
            let left = distances[at]?;
            at = *self.next(at).iter().find(|next| distances[**next] == Some(left - 1))?;
            path.push(at);
        }
        Some(path)
    }

    /// The nodes on the path from a node, as long as each has exactly one move. If the path is
    /// circular, it ends with the first repeated node.
    pub fn trail(&self, from: NodeId) -> Vec<NodeId> {
        let mut seen = Arena::filled(self.next.len(), false);
        let mut trail = vec![from];
        let mut at = from;
        while let ([next], false) = (self.next(at), std::mem::replace(&mut seen[at], true)) {
            at = *next;
            trail.push(at);
        }
        trail
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::Arena;
    use crate::moves::{Edge, Network, NodeId, Policy};

    #[test]
    fn paths_are_shortest_and_circles_end() {
        let edges = [(0, 1), (1, 2), (2, 3), (0, 2), (4, 5), (5, 4)];
        let edges = edges.map(|(from, to)| Edge { from: NodeId::at(from), to: NodeId::at(to) });
        let ranks: Arena<NodeId, Option<u32>> = (0..6).map(|_| None).collect();
        let moves = Network { edges: edges.to_vec(), ranks }.moves(Policy::AllEdges);
        let indexes = |path: Vec<NodeId>| path.iter().map(|n| n.index()).collect::<Vec<_>>();
        assert_eq!(moves.path(NodeId::at(0), NodeId::at(3)).map(indexes), Some(vec![0, 2, 3]));
        assert_eq!(moves.path(NodeId::at(3), NodeId::at(0)), None);
        assert_eq!(indexes(moves.trail(NodeId::at(4))), [4, 5, 4]);
        let distances = moves.distances(&[NodeId::at(3)]);
        let distances: Vec<_> = distances.iter().copied().collect();
        assert_eq!(distances, [Some(2), Some(2), Some(1), Some(0), None, None]);
    }
}
