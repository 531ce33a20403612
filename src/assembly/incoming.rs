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
    let mut distinct = Buckets::default();
    let mut updates: Vec<ListedUpdate> = Vec::new();
    for (_, listed) in incoming.entries() {
        updates.extend(listed);
        updates.sort_unstable();
        updates.dedup_by_key(|update| update.from);
        updates.drain(..).for_each(|update| distinct.push(update));
        distinct.close();
    }
    distinct.shrink();
    distinct
}
