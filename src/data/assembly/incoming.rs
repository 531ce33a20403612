//! The updates to each release, before anything is removed.

use crate::domain::{Arena, Buckets};
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use super::edge_metadata::EdgeMetadata;

/// The updates of a lineage and the updates that metadata adds, by target.
pub(super) fn incoming(
    lineage: &Lineage,
    metadata: &EdgeMetadata,
) -> Buckets<LineageNodeId, ListedUpdate> {
    let mut has_added = Arena::filled(lineage.nodes.len(), false);
    for update in &metadata.added {
        has_added[update.to] = true;
    }
    // Metadata may add an update that a release lists anyway.
    let is_added = |update: &ListedUpdate| {
        let ends = |update: &ListedUpdate| (update.from, update.to);
        has_added[update.to]
            && metadata.added.binary_search_by_key(&ends(update), |added| ends(added)).is_ok()
    };
    let listed = lineage.updates.iter().filter(|update| !is_added(update));
    let all = listed.chain(&metadata.added).map(|update| (update.to, *update));
    let mut incoming = Buckets::of(lineage.nodes.len(), all);
    for (to, _) in has_added.entries().filter(|(_, has_added)| **has_added) {
        incoming.get_mut(to).sort_unstable();
    }
    incoming
}
