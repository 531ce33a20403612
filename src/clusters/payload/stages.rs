//! Which manifests can be applied in parallel.

use super::manifest::{Manifest, ManifestId};
use super::slot::Slot;
use crate::domain::Arena;

/// Manifests that are applied one after the other.
pub(crate) type Chunk = Vec<ManifestId>;

/// Chunks that are applied in parallel.
pub(crate) type ParallelChunks = Vec<Chunk>;

/// The stages of an update, one for each level. Consecutive levels with one component each become
/// one chunk, and so do manifests without a level.
pub(crate) fn by_level(
    manifests: &Arena<ManifestId, Manifest>,
    ids: &[ManifestId],
) -> Vec<ParallelChunks> {
    let slot = |id: ManifestId| Slot::of(&manifests[id].file);
    let is_same_level = |a: &ManifestId, b: &ManifestId| {
        slot(*a).is_some_and(|a| slot(*b).is_some_and(|b| a.level == b.level))
    };
    let mut stages: Vec<ParallelChunks> = Vec::new();
    for level in ids.chunk_by(is_same_level) {
        let stage = components(manifests, level);
        match stages.last_mut().map(Vec::as_mut_slice) {
            Some([serial]) if stage.len() == 1 => serial.extend(level),
            _ => stages.push(stage),
        }
    }
    stages
}

/// One stage with all chunks, which is used to install a cluster and to reconcile it.
pub fn all_at_once(
    manifests: &Arena<ManifestId, Manifest>,
    ids: &[ManifestId],
) -> Vec<ParallelChunks> {
    vec![components(manifests, ids)]
}

/// Chunks of consecutive manifests with the same level and component.
fn components(manifests: &Arena<ManifestId, Manifest>, ids: &[ManifestId]) -> ParallelChunks {
    let slot = |id: ManifestId| Slot::of(&manifests[id].file);
    ids.chunk_by(|a, b| slot(*a).is_some() && slot(*a) == slot(*b)).map(<[_]>::to_vec).collect()
}
