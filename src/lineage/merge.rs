//! Merges two lineages.

use std::collections::HashMap;

use super::{Lineage, LineageNode, ListedUpdate};

impl Lineage {
    /// Adds the releases that only the other lineage has, and the updates from and to these.
    #[must_use]
    pub fn with_missing_from(mut self, other: Self) -> Self {
        let key = |node: &LineageNode| node.version.to_string();
        let known: HashMap<String, u32> = self.nodes.iter().map(key).zip(0..).collect();
        let own = self.nodes.len();
        // For each release of the other lineage, its place in this one.
        let mut places: Vec<u32> = Vec::with_capacity(other.nodes.len());
        for node in other.nodes {
            let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            let place = known.get(&key(&node)).copied().unwrap_or(next);
            if place == next {
                self.nodes.push(node);
            }
            places.push(place);
        }
        let place = |at: u32| places[at as usize];
        let is_missing = |from: u32, to: u32| from as usize >= own || to as usize >= own;
        let updates = other.updates.into_iter();
        let updates = updates.map(|update| ListedUpdate {
            from: place(update.from),
            to: place(update.to),
            ..update
        });
        self.updates.extend(updates.filter(|update| is_missing(update.from, update.to)));
        let unlikely = other.unlikely.into_iter().map(|(from, to)| (place(from), place(to)));
        self.unlikely.extend(unlikely.filter(|(from, to)| is_missing(*from, *to)));
        self.in_order()
    }

    /// Sorts the releases by version.
    fn in_order(mut self) -> Self {
        let mut nodes: Vec<(usize, LineageNode)> = self.nodes.into_iter().enumerate().collect();
        nodes.sort_by(|(_, a), (_, b)| a.version.cmp(&b.version));
        let mut places = vec![0; nodes.len()];
        for (place, (was, _)) in (0..).zip(&nodes) {
            places[*was] = place;
        }
        let place = |at: u32| places[at as usize];
        for update in &mut self.updates {
            *update = ListedUpdate { from: place(update.from), to: place(update.to), ..*update };
        }
        for (from, to) in &mut self.unlikely {
            (*from, *to) = (place(*from), place(*to));
        }
        self.updates.sort_unstable();
        self.unlikely.sort_unstable();
        self.nodes = nodes.into_iter().map(|(_, node)| node).collect();
        self
    }
}
