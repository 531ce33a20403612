//! Finds releases of one architecture that are equivalent to those of another. Most channels are
//! the same for all architectures, so they are simulated once.

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::{Arch, HashMap};
use crate::graph::{UpdateGraph, without_arch};

/// For each release of some architectures, the equivalent release of the first architecture.
pub(super) struct Twins(Vec<Option<NodeIndex>>);

impl Twins {
    pub(super) fn of(graph: &UpdateGraph, architectures: &[Arch]) -> Self {
        let nodes = graph.graph.node_count();
        let mut twins = Self(vec![None; nodes]);
        // Few graph files list an update twice, or an update to a missing release. In these, each
        // architecture is simulated.
        let is_usual = graph.doubles.is_empty() && graph.dangling.is_empty();
        let several = architectures.split_first().filter(|(_, others)| !others.is_empty());
        let Some((first, others)) = several.filter(|_| is_usual) else { return twins };
        let with_names = |arch: Arch| {
            let nodes = graph.graph.node_indices();
            let nodes = nodes.filter(move |node| graph.release(*node).is_for(arch));
            nodes.map(move |node| (without_arch(graph.release(node), arch), node))
        };
        let by_name: HashMap<_, NodeIndex> = with_names(*first).collect();
        // Releases with the same version. They may still list other updates.
        let mut namesakes: Vec<Option<NodeIndex>> = vec![None; nodes];
        for (name, node) in others.iter().flat_map(|arch| with_names(*arch)) {
            namesakes[node.index()] = by_name.get(&name).copied();
        }
        let unlikely = unlikely_origins(graph);
        for node in graph.graph.node_indices() {
            let is_twin = |twin: &NodeIndex| are_alike(graph, &unlikely, &namesakes, node, *twin);
            twins.0[node.index()] = namesakes[node.index()].filter(is_twin);
        }
        twins
    }

    /// Whether a channel, given by its releases, is the same for the first architecture and for
    /// another.
    pub(super) fn are_alike(&self, first: &[NodeIndex], other: &[NodeIndex]) -> bool {
        let mut pairs = first.iter().zip(other);
        first.len() == other.len()
            && pairs.all(|(first, other)| self.0[other.index()] == Some(*first))
    }
}

/// The origins of unlikely updates by target.
type Unlikely = HashMap<NodeIndex, Vec<NodeIndex>>;

fn unlikely_origins(graph: &UpdateGraph) -> Unlikely {
    let mut unlikely = Unlikely::default();
    for (from, to) in &graph.unlikely {
        unlikely.entry(*to).or_default().push(*from);
    }
    unlikely
}

/// Whether two releases list the same updates, from releases with the same versions.
fn are_alike(
    graph: &UpdateGraph,
    unlikely: &Unlikely,
    namesakes: &[Option<NodeIndex>],
    node: NodeIndex,
    twin: NodeIndex,
) -> bool {
    let (release, other) = (graph.release(node), graph.release(twin));
    let named = |origin: NodeIndex| namesakes[origin.index()].unwrap_or(origin);
    let updates = |node| graph.graph.edges_directed(node, Direction::Incoming);
    let is_same = release.has_known_origins == other.has_known_origins
        && release.is_abstract == other.is_abstract
        && updates(node)
            .map(|edge| (named(edge.source()), *edge.weight()))
            .eq(updates(twin).map(|edge| (edge.source(), *edge.weight())));
    let origins = |node, named: &dyn Fn(NodeIndex) -> NodeIndex| -> Vec<NodeIndex> {
        let origins = unlikely.get(&node).into_iter().flatten();
        let mut origins: Vec<NodeIndex> = origins.map(|origin| named(*origin)).collect();
        origins.sort_unstable();
        origins
    };
    is_same && origins(node, &named) == origins(twin, &|origin| origin)
}
