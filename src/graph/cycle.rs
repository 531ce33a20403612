//! Cycles, in a time that grows with the graph and not with the number of its cycles.

use std::collections::{HashMap, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::Adjacency;

/// How many edges are looked at in search of a shorter cycle, once there is one.
const EFFORT: usize = 20_000_000;

/// The cycles of a graph.
#[derive(Debug, PartialEq, Eq)]
pub struct Cycles {
    /// A shortest one, or a short one where there are too many to look at: its nodes in their
    /// order, each once.
    pub shortest: Vec<u32>,
    /// How many groups of nodes there are in which each can be reached from every other.
    pub groups: usize,
}

impl Cycles {
    /// The cycles among some edges. An edge from a node to itself is none.
    #[must_use]
    pub fn of(edges: &Adjacency) -> Option<Self> {
        let groups = groups(edges);
        let mut effort = EFFORT;
        let mut search = Search::new(edges, &groups);
        let mut shortest: Option<Vec<u32>> = None;
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

/// The groups of two nodes or more in which each can be reached from every other, in the order
/// of their first nodes.
fn groups(edges: &Adjacency) -> Vec<Vec<u32>> {
    let core = core(edges);
    let mut place = HashMap::with_capacity(core.len());
    let mut graph: DiGraph<u32, ()> = DiGraph::new();
    for node in &core {
        place.insert(*node, graph.add_node(*node));
    }
    for from in &core {
        for to in edges.targets(*from).iter().filter(|to| *to != from) {
            if let (Some(from), Some(to)) = (place.get(from), place.get(to)) {
                graph.add_edge(*from, *to, ());
            }
        }
    }
    let parts = kosaraju_scc(&graph).into_iter().filter(|part| part.len() > 1);
    let mut groups: Vec<Vec<u32>> = parts
        .map(|part| {
            let mut nodes: Vec<u32> = part.into_iter().map(|node| graph[node]).collect();
            nodes.sort_unstable();
            nodes
        })
        .collect();
    groups.sort_unstable();
    groups
}

/// The nodes that are left when those are taken away, again and again, that nothing leads to:
/// of a graph without cycles, none.
fn core(edges: &Adjacency) -> Vec<u32> {
    let nodes = 0..u32::try_from(edges.nodes()).unwrap_or(u32::MAX);
    let mut incoming = vec![0_u32; edges.nodes()];
    for from in nodes.clone() {
        for to in edges.targets(from).iter().filter(|to| **to != from) {
            incoming[*to as usize] += 1;
        }
    }
    let mut free: Vec<u32> = nodes.clone().filter(|node| incoming[*node as usize] == 0).collect();
    while let Some(from) = free.pop() {
        for to in edges.targets(from).iter().filter(|to| **to != from) {
            incoming[*to as usize] -= 1;
            if incoming[*to as usize] == 0 {
                free.push(*to);
            }
        }
    }
    nodes.filter(|node| incoming[*node as usize] > 0).collect()
}

/// A search for ways from a node back to itself.
struct Search<'e> {
    edges: &'e Adjacency,
    /// The group of each node, from 1; 0 for the nodes of none.
    group: Vec<usize>,
    /// The search in which a node was last met, and the node it was met from.
    met: Vec<(u32, u32)>,
    round: u32,
}

impl<'e> Search<'e> {
    fn new(edges: &'e Adjacency, groups: &[Vec<u32>]) -> Self {
        let mut group = vec![0; edges.nodes()];
        for (at, nodes) in (1..).zip(groups) {
            for node in nodes {
                group[*node as usize] = at;
            }
        }
        let met = vec![(0, 0); if groups.is_empty() { 0 } else { edges.nodes() }];
        Self { edges, group, met, round: 0 }
    }

    /// The shortest way from a node of a group back to it, if it is shorter than `known`.
    fn shortest_through(
        &mut self,
        start: u32,
        known: usize,
        effort: &mut usize,
    ) -> Option<Vec<u32>> {
        self.round += 1;
        let mut next = VecDeque::from([(start, 1)]);
        while let Some((node, length)) = next.pop_front() {
            if length >= known {
                return None;
            }
            for to in self.edges.targets(node) {
                *effort = effort.saturating_sub(1);
                if *to == start && node != start {
                    return Some(self.way(start, node));
                }
                let is_new = self.met[*to as usize].0 != self.round && *to != start;
                if is_new && self.group[*to as usize] == self.group[start as usize] {
                    self.met[*to as usize] = (self.round, node);
                    next.push_back((*to, length + 1));
                }
            }
            if *effort == 0 && known < usize::MAX {
                return None;
            }
        }
        None
    }

    fn way(&self, start: u32, end: u32) -> Vec<u32> {
        let mut way = vec![end];
        let mut node = end;
        while node != start {
            node = self.met[node as usize].1;
            way.push(node);
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::super::Adjacency;
    use super::Cycles;

    fn cycles(nodes: usize, edges: &[(u32, u32)]) -> Option<Cycles> {
        Cycles::of(&Adjacency::of(nodes, edges.iter().copied()))
    }

    #[test]
    fn the_shortest_of_all_is_found() {
        assert_eq!(cycles(3, &[(0, 1), (1, 2), (0, 2), (2, 2)]), None);
        let one = cycles(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 1), (4, 5), (5, 4)]);
        assert_eq!(one, Some(Cycles { shortest: vec![4, 5], groups: 2 }));
        let other = cycles(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 1)]);
        assert_eq!(other, Some(Cycles { shortest: vec![1, 2, 3], groups: 1 }));
    }

    #[test]
    fn a_cycle_through_every_node_and_a_graph_of_nothing_else_end_soon() {
        let many = 300_000;
        let ring: Vec<(u32, u32)> = (0..many).map(|at| (at, (at + 1) % many)).collect();
        let found = cycles(many as usize, &ring).map(|cycles| cycles.shortest.len());
        assert_eq!(found, Some(many as usize));
    }
}
