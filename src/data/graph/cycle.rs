//! Finds cycles in time that depends on the size of the graph, not on the number of cycles.

use std::collections::VecDeque;

use crate::domain::{Arena, Buckets};

use super::cincinnati::GraphNodeId;

/// How many more edges to visit in search of a shorter cycle after one is found.
const EFFORT: usize = 20_000_000;

/// The cycles of a graph.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cycles {
    /// The nodes of a shortest cycle in order, each once. If there are too many cycles, just a
    /// short one.
    pub shortest: Vec<GraphNodeId>,
    /// The number of strongly connected groups of two or more nodes.
    pub groups: usize,
}

impl Cycles {
    /// Finds the cycles. An edge from a node to itself does not count.
    pub(crate) fn of(edges: &Buckets<GraphNodeId, GraphNodeId>) -> Option<Self> {
        let groups = groups(edges);
        let mut effort = EFFORT;
        let mut search = CycleSearch::new(edges, &groups);
        let mut shortest: Option<Vec<GraphNodeId>> = None;
        for node in groups.iter().flatten() {
            let known = shortest.as_ref().map_or(usize::MAX, Vec::len);
            if known == 2 || shortest.is_some() && effort == 0 {
                break;
            }
            let found = search.shortest_through(*node, known, &mut effort);
            shortest = found.or(shortest);
        }
        Some(Self { shortest: shortest?, groups: groups.len() })
    }
}

/// The strongly connected groups of two or more nodes, in order of their first nodes. This is
/// Tarjan's algorithm without recursion.
fn groups(edges: &Buckets<GraphNodeId, GraphNodeId>) -> Vec<Vec<GraphNodeId>> {
    let mut search = GroupSearch::new(edges.len());
    for start in edges.ids() {
        if search.order[start] == 0 {
            search.from(start, edges);
        }
    }
    for group in &mut search.groups {
        group.sort_unstable();
    }
    search.groups.sort_unstable();
    search.groups
}

struct GroupSearch {
    /// The order in which nodes are first visited, from 1. 0: not visited.
    order: Arena<GraphNodeId, u32>,
    /// For each node, the place in this order of the earliest open node that it can reach.
    lowest: Arena<GraphNodeId, u32>,
    /// The nodes whose group is not known yet, in order of their visit.
    open: Vec<GraphNodeId>,
    is_open: Arena<GraphNodeId, bool>,
    met: u32,
    groups: Vec<Vec<GraphNodeId>>,
}

impl GroupSearch {
    fn new(nodes: usize) -> Self {
        let (order, lowest) = (Arena::filled(nodes, 0), Arena::filled(nodes, 0));
        let (open, is_open) = (Vec::new(), Arena::filled(nodes, false));
        Self { order, lowest, open, is_open, met: 0, groups: Vec::new() }
    }

    fn from(&mut self, start: GraphNodeId, edges: &Buckets<GraphNodeId, GraphNodeId>) {
        self.meet(start);
        // Each node on the current path, and how many of its targets have been visited.
        let mut path = vec![(start, 0)];
        while let Some((node, looked_at)) = path.last_mut() {
            let from = *node;
            if let Some(to) = edges.get(from).get(*looked_at).copied() {
                *looked_at += 1;
                if self.order[to] == 0 {
                    self.meet(to);
                    path.push((to, 0));
                } else if self.is_open[to] {
                    self.lower(from, self.order[to]);
                }
            } else {
                path.pop();
                if let Some((before, _)) = path.last() {
                    self.lower(*before, self.lowest[from]);
                }
                self.close(from);
            }
        }
    }

    fn meet(&mut self, node: GraphNodeId) {
        self.met += 1;
        self.order[node] = self.met;
        self.lowest[node] = self.met;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn lower(&mut self, node: GraphNodeId, reached: u32) {
        let lowest = &mut self.lowest[node];
        *lowest = (*lowest).min(reached);
    }

    /// Closes a group, if the node is the first one of it.
    fn close(&mut self, node: GraphNodeId) {
        if self.lowest[node] != self.order[node] {
            return;
        }
        let first = self.open.iter().rposition(|open| *open == node).unwrap_or_default();
        let group = self.open.split_off(first);
        for member in &group {
            self.is_open[*member] = false;
        }
        if group.len() > 1 {
            self.groups.push(group);
        }
    }
}

/// Searches for cycles through a given node.
struct CycleSearch<'e> {
    edges: &'e Buckets<GraphNodeId, GraphNodeId>,
    /// The number of each node's group, from 1. 0: no group.
    group: Arena<GraphNodeId, usize>,
    /// The last round in which each node was visited, and its predecessor.
    met: Arena<GraphNodeId, (u32, GraphNodeId)>,
    round: u32,
}

impl<'e> CycleSearch<'e> {
    fn new(edges: &'e Buckets<GraphNodeId, GraphNodeId>, groups: &[Vec<GraphNodeId>]) -> Self {
        let mut group = Arena::filled(edges.len(), 0);
        for (at, nodes) in (1..).zip(groups) {
            for node in nodes {
                group[*node] = at;
            }
        }
        let nodes = if groups.is_empty() { 0 } else { edges.len() };
        let met = Arena::filled(nodes, (0, GraphNodeId::at(0)));
        Self { edges, group, met, round: 0 }
    }

    /// The shortest cycle through a node, if it is shorter than `known`.
    fn shortest_through(
        &mut self,
        start: GraphNodeId,
        known: usize,
        effort: &mut usize,
    ) -> Option<Vec<GraphNodeId>> {
        self.round += 1;
        let mut next = VecDeque::from([(start, 1)]);
        while let Some((node, length)) = next.pop_front() {
            if length >= known {
                return None;
            }
            for to in self.edges.get(node) {
                *effort = effort.saturating_sub(1);
                if *to == start && node != start {
                    return Some(self.path(start, node));
                }
                let is_new = self.met[*to].0 != self.round && *to != start;
                if is_new && self.group[*to] == self.group[start] {
                    self.met[*to] = (self.round, node);
                    next.push_back((*to, length + 1));
                }
            }
            if *effort == 0 && known < usize::MAX {
                return None;
            }
        }
        None
    }

    fn path(&self, start: GraphNodeId, end: GraphNodeId) -> Vec<GraphNodeId> {
        let mut path = vec![end];
        let mut node = end;
        while node != start {
            node = self.met[node].1;
            path.push(node);
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::{Cycles, GraphNodeId};
    use crate::domain::Buckets;
    use proptest::prelude::*;

    fn adjacency(nodes: usize, edges: &[(usize, usize)]) -> Buckets<GraphNodeId, GraphNodeId> {
        let edges = edges.iter().map(|(from, to)| (GraphNodeId::at(*from), GraphNodeId::at(*to)));
        Buckets::of(nodes, edges)
    }

    fn cycles(nodes: usize, edges: &[(usize, usize)]) -> Option<Cycles> {
        Cycles::of(&adjacency(nodes, edges))
    }

    fn nodes<const N: usize>(of: [usize; N]) -> Vec<GraphNodeId> {
        of.map(GraphNodeId::at).to_vec()
    }

    #[test]
    fn the_shortest_of_all_is_found() {
        assert_eq!(cycles(3, &[(0, 1), (1, 2), (0, 2), (2, 2)]), None);
        let one = cycles(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 1), (4, 5), (5, 4)]);
        assert_eq!(one, Some(Cycles { shortest: nodes([4, 5]), groups: 2 }));
        let other = cycles(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 1)]);
        assert_eq!(other, Some(Cycles { shortest: nodes([1, 2, 3]), groups: 1 }));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn groups_are_those_that_petgraph_finds(
            edges in proptest::collection::vec((0_usize..12, 0_usize..12), 0..40)
        ) {
            let mut graph = petgraph::graph::DiGraph::<GraphNodeId, ()>::new();
            let nodes = [(); 12].map(|()| graph.add_node(GraphNodeId::at(graph.node_count())));
            for (from, to) in &edges {
                graph.add_edge(nodes[*from], nodes[*to], ());
            }
            let parts = petgraph::algo::kosaraju_scc(&graph).into_iter().filter(|part| part.len() > 1);
            let mut theirs: Vec<Vec<GraphNodeId>> =
                parts.map(|part| part.into_iter().map(|node| graph[node]).collect()).collect();
            for part in &mut theirs {
                part.sort_unstable();
            }
            theirs.sort_unstable();
            prop_assert_eq!(super::groups(&adjacency(12, &edges)), theirs);
        }
    }

    #[test]
    fn a_cycle_through_every_node_and_a_graph_of_nothing_else_end_soon() {
        let many = 300_000;
        let ring: Vec<(usize, usize)> = (0..many).map(|at| (at, (at + 1) % many)).collect();
        let found = cycles(many, &ring).map(|cycles| cycles.shortest.len());
        assert_eq!(found, Some(many));
    }
}
