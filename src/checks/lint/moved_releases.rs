//! The releases that an edit moves: they come or go, or join or leave channels.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use memchr::memmem::Finder;

use crate::domain::{Arch, HashSet, Minor, Named, Version, version};
use crate::graph_data::{
    BlockedEdge, Channel, GraphData, Pattern, Release, ReleaseId, ReleasePairs, Releases,
};
use crate::origins::{coming_pre_releases, last_patch};

/// A release that some channel has in only one state of the repository, before or after an edit.
#[derive(Debug)]
pub(super) struct MovedRelease {
    /// Its id before the edit. None if no channel had it.
    pub(super) before: Option<ReleaseId>,
    /// Its id after the edit. None if no channel has it.
    pub(super) after: Option<ReleaseId>,
    minor: Minor,
    /// Finds its version in a text.
    finder: Finder<'static>,
    /// Its version, as the service writes it.
    served: String,
    /// Versions for which a pattern may have to be right in only one of the two states. exitpath
    /// can rewrite a pattern in the usual form. If the pattern matches none of these versions, the
    /// rewritten pattern is the same in both states.
    deciding: Vec<String>,
    /// Whether the rewritten pattern is also the same if the pattern matches all of these versions,
    /// each by the same part of the pattern.
    is_same_for_all: bool,
}

/// The releases that only one state of the repository has.
#[derive(Debug)]
pub(super) struct OneSided<'e> {
    data: &'e GraphData,
    /// Each release with its id, and with the patterns of this state for which it matters whether
    /// the release exists.
    releases: Vec<(&'e MovedRelease, ReleaseId, HashSet<&'e str>)>,
}

impl MovedRelease {
    /// None if neither state has it.
    fn new(
        before: Option<ReleaseId>,
        after: Option<ReleaseId>,
        states: [&Releases; 2],
    ) -> Option<Self> {
        let [old, new] = states;
        let release = after.map(|id| new.get(id)).or_else(|| before.map(|id| old.get(id)))?;
        let minor = Minor::of(&release.version);
        let (mut deciding, mut is_same_for_all) = if before.is_some() && after.is_some() {
            (Vec::new(), true)
        } else if release.version.pre.is_empty() {
            let patches = deciding_patches(minor, states);
            let have_same_length =
                patches.start().checked_ilog10() == patches.end().checked_ilog10();
            (patches.map(|patch| served(minor, patch)).collect(), have_same_length)
        } else {
            (deciding_pre_releases(minor, states), false)
        };
        let [was_coming, is_coming] = states.map(|state| may_get_pre_releases(minor, state));
        if was_coming != is_coming {
            deciding.extend(coming_pre_releases(minor).map(|version| with_arch(&version)));
            is_same_for_all = false;
        }
        let (finder, served) = (Finder::new(&release.text).into_owned(), release.served.clone());
        Some(Self { before, after, minor, finder, served, deciding, is_same_for_all })
    }

    /// Whether the channels that have it can matter to a declaration. `id` is its id in the state
    /// of the declaration.
    pub(super) fn is_about(&self, edge: &BlockedEdge, id: Option<ReleaseId>) -> bool {
        id.is_some_and(|id| edge.possible_origins.contains(&id))
            || edge.target.as_ref().is_some_and(|to| Minor::of(to) == self.minor)
    }

    /// Whether it may be the only release that an alternative of a pattern matches.
    fn may_use_an_alternative(&self, pattern: &Pattern) -> bool {
        let has_alternatives =
            pattern.walk.as_ref().is_none_or(|walk| walk.branches().next().is_some());
        has_alternatives && pattern.try_explain(&self.served) != Ok(None)
    }

    /// Whether exitpath may rewrite the pattern differently in the two states.
    pub(super) fn decides_what_is_written(&self, pattern: &Pattern) -> bool {
        let mut explained = self.deciding.iter().map(|version| pattern.try_explain(version));
        let is_same = match explained.next() {
            Some(Ok(why)) => {
                explained.all(|other| other == Ok(why)) && (why.is_none() || self.is_same_for_all)
            }
            Some(Err(_)) => false,
            None => true,
        };
        !is_same
    }

    pub(super) fn is_in_both(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }
}

impl<'e> OneSided<'e> {
    /// The releases of a state, from moved releases with their ids in this state.
    pub(super) fn of(
        data: &'e GraphData,
        moved: impl Iterator<Item = (&'e MovedRelease, Option<ReleaseId>)>,
    ) -> Self {
        let with_patterns = moved.filter_map(|(release, id)| {
            let patterns = data.patterns.all().filter(|(_, pattern)| {
                release.may_use_an_alternative(pattern) || release.decides_what_is_written(pattern)
            });
            Some((release, id?, patterns.map(|(text, _)| text).collect()))
        });
        Self { data, releases: with_patterns.collect() }
    }

    /// Whether the existence of any of them can matter to a declaration of this state.
    pub(super) fn decide(&self, edge: &BlockedEdge) -> bool {
        if edge.release.is_none() {
            return !self.releases.is_empty();
        }
        let fixed = edge.fixed_in.as_ref().and_then(|fixed| version::parse(&fixed.value));
        let fixed = fixed.as_ref().map(Minor::of);
        let text = self.data.sources.get(edge.file).text().as_bytes();
        self.releases.iter().any(|(release, id, patterns)| {
            release.is_about(edge, Some(*id))
                || fixed == Some(release.minor)
                || edge.from.as_ref().is_some_and(|from| patterns.contains(from.value.as_str()))
                || release.finder.find(text).is_some()
        })
    }
}

/// A pattern has to be right up to some patch, which can differ between the two states. The patches
/// from one state's last patch to the other's.
fn deciding_patches(minor: Minor, states: [&Releases; 2]) -> RangeInclusive<u64> {
    let [one, other] =
        states.map(|state| last_patch(newest(minor, state).map(|newest| newest.version.patch)));
    one.min(other)..=one.max(other)
}

/// The pre-releases of a minor, and its first and its newest release.
fn deciding_pre_releases(minor: Minor, states: [&Releases; 2]) -> Vec<String> {
    let mut deciding = vec![served(minor, 0)];
    for state in states {
        let all = state.of_minor(minor).map(|id| state.get(id));
        let pre_releases = all.filter(|release| !release.version.pre.is_empty());
        let decide = newest(minor, state).into_iter().chain(pre_releases);
        deciding.extend(decide.map(|release| release.served.clone()));
    }
    deciding
}

/// Whether a state has only pre-releases of a minor, so that it may get more.
fn may_get_pre_releases(minor: Minor, releases: &Releases) -> bool {
    releases.of_minor(minor).next().is_some() && newest(minor, releases).is_none()
}

/// The newest release of a minor that is not a pre-release.
fn newest(minor: Minor, releases: &Releases) -> Option<&Release> {
    let mut all = releases.of_minor(minor).map(|id| releases.get(id));
    all.rfind(|release| release.version.pre.is_empty())
}

/// A patch of a minor, as the service writes it.
fn served(minor: Minor, patch: u64) -> String {
    with_arch(&Version::new(minor.major, minor.minor, patch))
}

fn with_arch(version: &Version) -> String {
    format!("{version}+{}", Arch::default().name())
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
    let releases = ReleasePairs::between(&before.releases, &after.releases);
    let in_one = pairs().flat_map(|(old, new)| {
        let old = || old.releases.iter().filter_map(|id| releases.after[*id]);
        if old().eq(new.releases.iter().copied()) {
            return Vec::new();
        }
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (old().collect(), new.releases.iter().copied().collect());
        old.symmetric_difference(&new).copied().collect()
    });
    let mut in_one: BTreeSet<ReleaseId> = in_one.collect();
    in_one.extend(&releases.added);
    let states = [&*before.releases, &*after.releases];
    let gone = releases.gone.iter().filter_map(|id| MovedRelease::new(Some(*id), None, states));
    let in_one = in_one
        .into_iter()
        .filter_map(|id| MovedRelease::new(releases.before[id], Some(id), states));
    let moved: Vec<MovedRelease> = gone.chain(in_one).collect();
    // What exitpath would write as a pattern also depends on which minors there are.
    let has_minor = |minor: Minor| states.iter().all(|all| all.of_minor(minor).next().is_some());
    moved.iter().all(|one| one.is_in_both() || has_minor(one.minor)).then_some(moved)
}
