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
}

impl ReleasePairs {
    pub(crate) fn between(before: &Releases, after: &Releases) -> Self {
        Self { after: same_in(before, after), before: same_in(after, before) }
    }

    /// Whether both states have the same releases.
    pub(crate) fn are_all(&self) -> bool {
        self.gone().next().is_none() && self.added().next().is_none()
    }

    /// The releases that the state after lacks.
    pub(crate) fn gone(&self) -> impl Iterator<Item = ReleaseId> {
        self.after.entries().filter(|(_, after)| after.is_none()).map(|(id, _)| id)
    }

    /// The releases that the state before lacks.
    pub(crate) fn added(&self) -> impl Iterator<Item = ReleaseId> {
        self.before.entries().filter(|(_, before)| before.is_none()).map(|(id, _)| id)
    }
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
