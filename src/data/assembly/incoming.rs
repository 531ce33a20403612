//! The updates to each release, before anything is removed.

use std::borrow::Cow;

use crate::domain::Buckets;
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use super::edge_metadata::EdgeMetadata;

/// The updates of a lineage and the updates that metadata adds, by target.
pub(super) fn incoming<'l>(
    lineage: &'l Lineage,
    metadata: &EdgeMetadata,
) -> Cow<'l, Buckets<LineageNodeId, ListedUpdate>> {
    if metadata.added.is_empty() {
        return Cow::Borrowed(lineage.by_target());
    }
    let by_target = |update: &ListedUpdate| (update.to, *update);
    let all = lineage.updates.iter().chain(&metadata.added).map(by_target);
    let mut incoming = Buckets::of(lineage.nodes.len(), all);
    // Metadata may add an update that a release lists anyway.
    incoming.sort_and_dedup(|update| *update, |update| update.from);
    Cow::Owned(incoming)
}
