//! The updates to each release, before anything is removed.

use crate::domain::Buckets;
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use super::edge_metadata::EdgeMetadata;

/// The updates of a lineage and the updates that metadata adds, by target.
pub(super) fn incoming(
    lineage: &Lineage,
    metadata: &EdgeMetadata,
) -> Buckets<LineageNodeId, ListedUpdate> {
    let by_target = |update: &ListedUpdate| (update.to, *update);
    let buckets = lineage.nodes.len();
    if metadata.added.is_empty() {
        return Buckets::of(buckets, lineage.updates.iter().map(by_target));
    }
    let mut added = metadata.added.clone();
    added.sort_unstable_by_key(ends);
    let merged = if lineage.updates.is_sorted_by_key(ends) {
        merged(&lineage.updates, &added)
    } else {
        let mut updates = lineage.updates.clone();
        updates.sort_by_key(ends);
        merged(&updates, &added)
    };
    Buckets::of(buckets, merged.iter().map(by_target))
}

/// Merges two lists that are sorted by target and origin. If both have an update, takes it from
/// `added`.
fn merged(listed: &[ListedUpdate], added: &[ListedUpdate]) -> Vec<ListedUpdate> {
    let mut merged = Vec::with_capacity(listed.len() + added.len());
    let mut rest = listed;
    for update in added {
        let (before, after) =
            rest.split_at(rest.partition_point(|listed| ends(listed) < ends(update)));
        merged.extend_from_slice(before);
        merged.push(*update);
        rest = match after.split_first() {
            Some((listed, after)) if ends(listed) == ends(update) => after,
            _ => after,
        };
    }
    merged.extend_from_slice(rest);
    merged
}

fn ends(update: &ListedUpdate) -> (LineageNodeId, LineageNodeId) {
    (update.to, update.from)
}
