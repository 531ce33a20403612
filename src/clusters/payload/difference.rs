//! How the payloads of two releases differ.

use std::collections::{BTreeMap, BTreeSet};

use super::manifest::ManifestId;
use super::payload::Payload;
use super::slot::Slot;

/// What differs between two payloads.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Manifests of the new payload.
    pub added: Vec<ManifestId>,
    /// Manifests of the old payload.
    pub removed: Vec<ManifestId>,
    /// Objects at another level, or in another component.
    pub moved: Vec<Pair>,
    /// Objects at the same level and in the same component, with another content.
    pub changed: Vec<Pair>,
}

/// The same object in two payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub old: ManifestId,
    pub new: ManifestId,
}

impl Difference {
    pub(crate) fn of(old: &Payload, new: &Payload) -> Self {
        let before = by_object(old);
        let after = by_object(new);
        let mut difference = Self::default();
        for (object, new_id) in &after {
            let Some(old_id) = before.get(object) else {
                difference.added.push(*new_id);
                continue;
            };
            let (then, now) = (&old.manifests[*old_id], &new.manifests[*new_id]);
            let pair = Pair { old: *old_id, new: *new_id };
            if Slot::of(&then.file) != Slot::of(&now.file) {
                difference.moved.push(pair);
            } else if then.hash != now.hash {
                difference.changed.push(pair);
            }
        }
        let removed = before.iter().filter(|(object, _)| !after.contains_key(*object));
        difference.removed = removed.map(|(_, id)| *id).collect();
        difference.added.sort();
        difference.removed.sort();
        difference.moved.sort_by_key(|pair| pair.new);
        difference.changed.sort_by_key(|pair| pair.new);
        difference
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An object, and the feature gates that its manifest needs.
type Variant<'p> = ([&'p str; 4], &'p BTreeSet<String>);

/// The manifest of each object. If there are several, the last one counts.
fn by_object(payload: &Payload) -> BTreeMap<Variant<'_>, ManifestId> {
    let entries = payload.manifests.entries();
    entries.map(|(id, manifest)| ((manifest.object(), &manifest.gates), id)).collect()
}
