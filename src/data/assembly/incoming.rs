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
    let mut incoming = Buckets::of(nodes, all);
    // Metadata may add an update that a release lists anyway.
    if !metadata.added.is_empty() {
        incoming.sort_and_dedup(|update| *update, |update| update.from);
    }
    incoming
}
