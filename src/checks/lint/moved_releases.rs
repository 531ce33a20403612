//! The releases that an edit moves: they come or go, or join or leave channels.

use std::collections::BTreeSet;

use crate::domain::{Arch, Arena, Minor, Named, Version, version};
use crate::graph_data::{BlockedEdge, Channel, GraphData, Pattern, ReleaseId, Releases};

/// A release that some channel has in only one state of the repository, before or after an edit.
#[derive(Debug)]
pub(super) struct MovedRelease {
    /// Its id before the edit. None if no channel had it.
    pub(super) before: Option<ReleaseId>,
    /// Its id after the edit. None if no channel has it.
    pub(super) after: Option<ReleaseId>,
    minor: Minor,
    text: String,
    /// Versions, as the service writes them. The pattern that exitpath would write for what a pattern
    /// matches can change only if the pattern matches one of them.
    samples: Vec<String>,
}

impl MovedRelease {
    /// None if neither state has it.
    fn new(
        (before, after): (Option<ReleaseId>, Option<ReleaseId>),
        states: [&Releases; 2],
    ) -> Option<Self> {
        let [old, new] = states;
        let release = after.map(|id| new.get(id)).or_else(|| before.map(|id| old.get(id)))?;
        let minor = Minor::of(&release.version);
        let is_in_both = before.is_some() && after.is_some();
        let samples = if is_in_both {
            Vec::new()
        } else {
            samples(&release.version, &release.served, states)
        };
        Some(Self { before, after, minor, text: release.text.clone(), samples })
    }

    /// Whether the channels that have it can matter to a declaration. `id` is its id in the state of
    /// the declaration.
    pub(super) fn is_about(&self, edge: &BlockedEdge, id: Option<ReleaseId>) -> bool {
        id.is_some_and(|id| edge.possible_origins.contains(&id))
            || edge.target.as_ref().is_some_and(|to| Minor::of(to) == self.minor)
    }

    /// Whether its existence can matter to a declaration. `id` is its id in the state of the
    /// declaration.
    pub(super) fn decides(
        &self,
        edge: &BlockedEdge,
        id: Option<ReleaseId>,
        data: &GraphData,
    ) -> bool {
        let fixed = edge.fixed_in.as_ref().and_then(|fixed| version::parse(&fixed.value));
        let pattern = edge.from.as_ref().and_then(|from| data.patterns.get(&from.value));
        let may_match = |pattern: &Pattern| self.samples.iter().any(|one| pattern.may_match(one));
        edge.release.is_none()
            || self.is_about(edge, id)
            || fixed.is_some_and(|fixed| Minor::of(&fixed) == self.minor)
            || data.sources.get(edge.file).text().contains(&self.text)
            || pattern.is_some_and(may_match)
    }

    pub(super) fn is_in_both(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }
}

/// The release itself, and the first and the newest release of its minor. For a pre-release, also the
/// other pre-releases of its minor.
fn samples(version: &Version, served: &str, states: [&Releases; 2]) -> Vec<String> {
    let is_pre = |version: &Version| !version.pre.is_empty();
    let first = Version::new(version.major, version.minor, 0);
    let mut samples = vec![served.to_owned(), format!("{first}+{}", Arch::default().name())];
    for state in states {
        let of_minor = || state.of_minor(Minor::of(version)).map(|id| state.get(id));
        let newest = of_minor().rfind(|one| !is_pre(&one.version));
        let pre = of_minor().filter(|one| is_pre(&one.version) && is_pre(version));
        samples.extend(newest.into_iter().chain(pre).map(|one| one.served.clone()));
    }
    samples
}

/// The releases that came, went, or joined or left channels. None if there are other channels.
pub(super) fn moved_releases(before: &GraphData, after: &GraphData) -> Option<Vec<MovedRelease>> {
    let are_alike = |(old, new): (&Channel, &Channel)| {
        (old.name(), old.public, &old.stem) == (new.name(), new.public, &new.stem)
    };
    let pairs = || before.channels.iter().zip(&after.channels);
    if before.channels.len() != after.channels.len() || !pairs().all(are_alike) {
        return None;
    }
    let id_after = ids_after(&before.releases, &after.releases);
    let mut id_before = Arena::filled(after.releases.len(), None);
    for (old, new) in id_after.entries().filter_map(|(old, new)| Some((old, (*new)?))) {
        id_before[new] = Some(old);
    }
    let in_one = pairs().flat_map(|(old, new)| {
        let old = || old.releases.iter().filter_map(|id| id_after[*id]);
        if old().eq(new.releases.iter().copied()) {
            return Vec::new();
        }
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (old().collect(), new.releases.iter().copied().collect());
        old.symmetric_difference(&new).copied().collect()
    });
    let mut in_one: BTreeSet<ReleaseId> = in_one.collect();
    in_one.extend(id_before.entries().filter(|(_, old)| old.is_none()).map(|(id, _)| id));
    let in_one = in_one.into_iter().map(|id| (id_before[id], Some(id)));
    let gone = id_after.entries().filter(|(_, new)| new.is_none()).map(|(id, _)| (Some(id), None));
    let states = [&*before.releases, &*after.releases];
    let moved: Vec<MovedRelease> =
        gone.chain(in_one).filter_map(|ids| MovedRelease::new(ids, states)).collect();
    // What exitpath would write as a pattern also depends on which minors there are.
    let has_minor = |minor: Minor| states.iter().all(|all| all.of_minor(minor).next().is_some());
    moved.iter().all(|one| one.is_in_both() || has_minor(one.minor)).then_some(moved)
}

/// For each release before an edit, the same release after it.
fn ids_after(before: &Releases, after: &Releases) -> Arena<ReleaseId, Option<ReleaseId>> {
    let mut others = after.iter().peekable();
    let ids = before.iter().map(|(_, old)| {
        while others.next_if(|(_, new)| new.version < old.version).is_some() {}
        let (id, _) = others.next_if(|(_, new)| new.is_like(old))?;
        Some(id)
    });
    ids.collect()
}
