//! The same releases in two states of a repository.

use crate::domain::Arena;

use super::{ReleaseId, Releases};

/// Where the releases of one state are in the other.
#[derive(Clone, Debug)]
pub(crate) struct ReleasePairs {
    /// For each release before, the same release after. None if it is gone.
    pub(crate) after: Arena<ReleaseId, Option<ReleaseId>>,
    /// For each release after, the same release before. None if it is new.
    pub(crate) before: Arena<ReleaseId, Option<ReleaseId>>,
    /// The releases that are only in the state before.
    pub(crate) gone: Vec<ReleaseId>,
    /// The releases that are only in the state after.
    pub(crate) added: Vec<ReleaseId>,
}

impl ReleasePairs {
    pub(crate) fn between(before: &Releases, after: &Releases) -> Self {
        let (same_after, same_before) = (same_in(before, after), same_in(after, before));
        let (gone, added) = (without_pair(&same_after), without_pair(&same_before));
        Self { after: same_after, before: same_before, gone, added }
    }

    /// Whether every release is in both states.
    pub(crate) fn is_complete(&self) -> bool {
        self.gone.is_empty() && self.added.is_empty()
    }
}

fn without_pair(same: &Arena<ReleaseId, Option<ReleaseId>>) -> Vec<ReleaseId> {
    same.entries().filter(|(_, same)| same.is_none()).map(|(id, _)| id).collect()
}

/// For each release of one state, the same release of the other.
fn same_in(one: &Releases, other: &Releases) -> Arena<ReleaseId, Option<ReleaseId>> {
    let mut others = other.iter().peekable();
    let same = one.iter().map(|(_, release)| {
        while others.next_if(|(_, other)| other.version < release.version).is_some() {}
        let (id, _) = others.next_if(|(_, other)| other.is_like(release))?;
        Some(id)
    });
    same.collect()
}
