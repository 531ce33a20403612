//! Merges two lineages.

use crate::domain::{Arena, HashMap};

use super::{Lineage, LineageNode, LineageNodeId};

impl Lineage {
    /// Adds the releases that only the other lineage has, and the updates from and to these.
    pub fn with_missing_from(mut self, other: Self) -> Self {
        let key = |node: &LineageNode| node.version.to_string();
        let known: HashMap<String, LineageNodeId> =
            self.nodes.entries().map(|(id, node)| (key(node), id)).collect();
        let own = LineageNodeId::at(self.nodes.len());
        // For each release of the other lineage, its id in this one.
        let places: Arena<LineageNodeId, LineageNodeId> = other
            .nodes
            .into_iter()
            .map(|node| known.get(&key(&node)).copied().unwrap_or_else(|| self.nodes.push(node)))
            .collect();
        let place = |id: LineageNodeId| places[id];
        let is_missing = |from: LineageNodeId, to: LineageNodeId| from >= own || to >= own;
        let updates = other.updates.into_iter().map(|update| update.placed(place));
        self.updates.extend(updates.filter(|update| is_missing(update.from, update.to)));
        let unlikely = other.unlikely.into_iter().map(|(from, to)| (place(from), place(to)));
        self.unlikely.extend(unlikely.filter(|(from, to)| is_missing(*from, *to)));
        self.in_order()
    }

    /// Sorts the releases by version.
    fn in_order(mut self) -> Self {
        let mut nodes: Vec<(LineageNodeId, LineageNode)> =
            self.nodes.ids().zip(self.nodes).collect();
        nodes.sort_by(|(_, a), (_, b)| a.version.cmp(&b.version));
        let mut places = Arena::filled(nodes.len(), LineageNodeId::at(0));
        self.nodes = Arena::default();
        for (was, node) in nodes {
            places[was] = self.nodes.push(node);
        }
        let place = |id: LineageNodeId| places[id];
        for update in &mut self.updates {
            *update = update.placed(place);
        }
        for (from, to) in &mut self.unlikely {
            (*from, *to) = (place(*from), place(*to));
        }
        self.updates.sort_unstable();
        self.unlikely.sort_unstable();
        self
    }
}
