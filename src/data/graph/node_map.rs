//! Values for some releases of a graph.

use petgraph::graph::NodeIndex;

/// A value for each of some releases. The releases of a channel are neighbors in the graph, so this
/// is a list from the first to the last.
#[derive(Clone, Debug)]
pub(crate) struct NodeMap<T> {
    first: usize,
    values: Vec<Option<T>>,
}

impl<T: Copy> NodeMap<T> {
    /// `nodes` are sorted.
    pub(crate) fn of(nodes: &[NodeIndex], values: impl Iterator<Item = T>) -> Self {
        debug_assert!(nodes.is_sorted());
        let first = nodes.first().map_or(0, |node| node.index());
        let end = nodes.last().map_or(0, |node| node.index() + 1);
        let mut map = Self { first, values: vec![None; end - first] };
        for (node, value) in nodes.iter().zip(values) {
            map.values[node.index() - first] = Some(value);
        }
        map
    }

    pub(crate) fn get(&self, node: NodeIndex) -> Option<T> {
        let place = node.index().checked_sub(self.first)?;
        *self.values.get(place)?
    }

    pub(crate) fn holds(&self, node: NodeIndex) -> bool {
        self.get(node).is_some()
    }
}
