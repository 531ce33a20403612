//! Sets of origins: for each minor, some patches and pre-releases.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::version::strip_build;
use crate::domain::{Minor, Version, version};
use crate::graph_data::Releases;

use super::numbers::Numbers;

/// How many patches after the newest one a pattern has to be right for.
const LATER: u64 = 50;

/// The releases of a repository, by minor.
#[derive(Debug, Default)]
pub(crate) struct KnownReleases(BTreeMap<Minor, KnownMinor>);

/// The releases of a minor, oldest first.
#[derive(Debug, Default)]
pub(super) struct KnownMinor {
    pub(super) patches: Vec<u64>,
    /// Pre-releases, also of patches (`4.18.10-Example`).
    pub(super) pre_releases: Vec<Version>,
}

impl KnownReleases {
    pub(crate) fn of(releases: &Releases) -> Self {
        let known = |minor: Minor| {
            let versions = releases.of_minor(minor).map(|id| &releases.get(id).version);
            let (general, pre): (Vec<_>, Vec<_>) = versions.partition(|one| one.pre.is_empty());
            let patches = general.into_iter().map(|version| version.patch).collect();
            (minor, KnownMinor { patches, pre_releases: pre.into_iter().cloned().collect() })
        };
        Self(releases.minors().into_iter().map(known).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn minors(&self) -> impl Iterator<Item = (Minor, &KnownMinor)> {
        self.0.iter().map(|(minor, known)| (*minor, known))
    }

    pub(super) fn minors_of(&self, major: u64) -> impl Iterator<Item = u64> {
        self.0.keys().filter(move |minor| minor.major == major).map(|minor| minor.minor)
    }

    pub(super) fn minor(&self, minor: Minor) -> Option<&KnownMinor> {
        self.0.get(&minor)
    }

    /// The releases that a pattern has to be right for: the known ones, and the next patches of
    /// each minor.
    pub(super) fn all(&self) -> impl Iterator<Item = Version> {
        self.minors().flat_map(|(minor, known)| {
            let patches = 0..=known.last_patch();
            let patches = patches.map(move |patch| Version::new(minor.major, minor.minor, patch));
            patches.chain(known.pre_releases.iter().cloned())
        })
    }

    /// The pre-releases of minors that are not generally available, those that exist included.
    pub(super) fn coming_pre_releases(&self) -> impl Iterator<Item = Version> {
        let coming = self.minors().filter(|(_, known)| known.is_coming());
        coming.flat_map(|(minor, _)| coming_pre_releases(minor))
    }
}

impl KnownMinor {
    /// Whether it may get more pre-releases: it is not generally available.
    pub(super) fn is_coming(&self) -> bool {
        self.patches.is_empty()
    }

    /// The last patch that a pattern has to be right for.
    pub(super) fn last_patch(&self) -> u64 {
        last_patch(self.patches.last().copied())
    }
}

/// The last patch of a minor that a pattern has to be right for, if this one is the newest.
pub(crate) fn last_patch(newest: Option<u64>) -> u64 {
    newest.map_or(LATER, |newest| newest + LATER)
}

/// The pre-releases that a minor may get before it is generally available.
pub(crate) fn coming_pre_releases(minor: Minor) -> impl Iterator<Item = Version> {
    let all = ["ec", "fc", "rc"].into_iter().flat_map(|word| (0..LATER).map(move |at| (word, at)));
    all.filter_map(move |(word, at)| version::parse(&format!("{minor}.0-{word}.{at}")))
}

/// A set of origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origins(pub(super) BTreeMap<Minor, MinorOrigins>);

/// The origins of one minor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MinorOrigins {
    pub(super) patches: Numbers,
    pub(super) pre_releases: PreReleases,
}

/// Which pre-releases are origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PreReleases {
    /// The pre-releases of the patches that are origins.
    OfPatches,
    /// These pre-releases, without their minor: `0-rc.1`.
    These(BTreeSet<String>),
}

impl Default for PreReleases {
    fn default() -> Self {
        Self::These(BTreeSet::new())
    }
}

impl Origins {
    pub(super) fn of(by_minor: BTreeMap<Minor, MinorOrigins>) -> Self {
        Self(by_minor.into_iter().filter(|(_, origins)| !origins.is_empty()).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a release is one of the origins.
    pub(crate) fn hold(&self, version: &Version) -> bool {
        self.0.get(&Minor::of(version)).is_some_and(|origins| origins.hold(version))
    }
}

impl MinorOrigins {
    fn is_empty(&self) -> bool {
        self.patches.is_empty() && self.pre_releases == PreReleases::default()
    }

    pub(super) fn hold(&self, version: &Version) -> bool {
        let is_of_patch = self.patches.contains(version.patch);
        if version.pre.is_empty() {
            return is_of_patch;
        }
        match &self.pre_releases {
            PreReleases::OfPatches => is_of_patch,
            PreReleases::These(some) => some.contains(&after_minor(version)),
        }
    }
}

/// A version without its minor and its build metadata: `0-rc.1`.
pub(super) fn after_minor(version: &Version) -> String {
    let text = version.to_string();
    strip_build(&text).splitn(3, '.').nth(2).unwrap_or_default().to_owned()
}
