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
    if metadata.added.is_empty() {
        return Buckets::of(nodes, lineage.updates.iter().map(by_target));
    }
    let mut all: Vec<ListedUpdate> =
        lineage.updates.iter().chain(&metadata.added).copied().collect();
    // This sort is fast if the lineage is in order.
    all.sort_by_key(|update| (update.to, update.from, update.knowledge));
    // Metadata may add an update that a release lists anyway.
    all.dedup_by_key(|update| (update.to, update.from));
    Buckets::of(nodes, all.iter().map(by_target))
}
