//! The updates to each release, before anything is removed.

use crate::domain::Buckets;
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use super::edge_metadata::EdgeMetadata;

/// The updates of a lineage and the updates that metadata adds, by target.
pub(super) fn incoming(
    lineage: &Lineage,
    metadata: &EdgeMetadata,
) -> Buckets<LineageNodeId, ListedUpdate> {
    let nodes = lineage.nodes.len();
    let by_target = |update: &ListedUpdate| (update.to, *update);
    let all = lineage.updates.iter().chain(&metadata.added).map(by_target);
    let incoming = Buckets::of(nodes, all);
    if metadata.added.is_empty() {
        return incoming;
    }
    // Metadata may add an update that a release lists anyway.
    let mut distinct = Vec::with_capacity(incoming.items().len());
    for node in incoming.ids() {
        let mut updates = incoming.get(node).to_vec();
        updates.sort_unstable();
        updates.dedup_by_key(|update| update.from);
        distinct.extend(updates);
    }
    Buckets::of(nodes, distinct.iter().map(by_target))
}
