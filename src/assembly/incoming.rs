//! The updates to each release, before anything is removed.

use crate::graph::Knowledge;
use crate::lineage::{Lineage, Update};

use super::edge_metadata::EdgeMetadata;

/// The updates of a lineage and the updates that metadata adds, by target.
pub(super) struct IncomingUpdates {
    pub(super) updates: Vec<Update>,
    /// The index in `updates` where the updates to each release start.
    starts: Vec<u32>,
}

impl IncomingUpdates {
    pub(super) fn of(lineage: &Lineage, edge_metadata: &EdgeMetadata) -> Self {
        let added = edge_metadata.added.iter();
        let all = || lineage.updates.iter().chain(added.clone());
        let mut starts = vec![0; lineage.nodes.len() + 1];
        for update in all() {
            starts[update.to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let placeholder = Update { from: 0, to: 0, knowledge: Knowledge::Given };
        let mut updates = vec![placeholder; all().count()];
        for update in all() {
            let place = &mut next[update.to as usize];
            updates[*place as usize] = *update;
            *place += 1;
        }
        let mut incoming = Self { updates, starts };
        if !edge_metadata.added.is_empty() {
            incoming.remove_duplicates();
        }
        incoming
    }

    pub(super) fn to(&self, node: usize) -> &[Update] {
        &self.updates[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Metadata can add an update that a release already lists.
    fn remove_duplicates(&mut self) {
        let mut kept = Vec::with_capacity(self.updates.len());
        let mut starts = vec![0];
        for node in 0..self.starts.len() - 1 {
            let mut updates = self.to(node).to_vec();
            updates.sort_unstable();
            updates.dedup_by_key(|update| update.from);
            kept.extend(updates);
            starts.push(u32::try_from(kept.len()).unwrap_or(u32::MAX));
        }
        *self = Self { updates: kept, starts };
    }
}
