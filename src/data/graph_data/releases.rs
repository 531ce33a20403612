//! All releases in channels, sorted by version.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::domain::version::{strip_build, text_of, without_build};
use crate::domain::{
    Arch, ArchSet, Arena, HashMap, Minor, Named, Version, each_id, ids, is_general,
};
use crate::text::version_slip;
use crate::text::words::in_ranges;

impl ReleaseId {
    /// The releases between two releases, without the two.
    pub(crate) fn between(a: Self, b: Self) -> impl Iterator<Item = Self> {
        each_id(Self::at(a.index() + 1)..b)
    }
}

ids! {
    /// A release of one [`Releases`]: its place in the list, oldest first.
    ReleaseId;
}

/// How many patches the next releases of a minor can be ahead of its newest one.
pub(crate) const NEXT: u64 = 3;

/// A release, for all its architectures.
#[derive(Clone, Debug)]
pub struct Release {
    /// Its version, without build metadata.
    pub version: Version,
    /// The version as text.
    pub text: String,
    /// The version as the service writes it, for the first of its architectures.
    pub served: String,
    /// The architecture, if every channel names the same one (`4.2.14+amd64`).
    pub only_for: Option<String>,
    pub(super) minor: Minor,
    is_general: bool,
}

/// The known releases. Releases of one minor are neighbors.
#[derive(Debug, Default)]
pub struct Releases {
    list: Arena<ReleaseId, Release>,
    ids: HashMap<String, ReleaseId>,
    /// The releases of each minor.
    minors: Vec<(Minor, Range<ReleaseId>)>,
}

/// Compares versions without the text after the `+`.
fn cmp_core(a: &Version, b: &Version) -> Ordering {
    let numbers = |version: &Version| (version.major, version.minor, version.patch);
    let cmp_pre = || if a.pre == b.pre { Ordering::Equal } else { a.pre.cmp(&b.pre) };
    numbers(a).cmp(&numbers(b)).then_with(cmp_pre)
}

/// The architecture of a release, if all of its versions name the same one.
fn only_for<'v>(named: &[&'v Version]) -> Option<&'v str> {
    let first = named[0].build.as_str();
    let is_same = named.iter().all(|one| one.build.as_str() == first);
    (!first.is_empty() && is_same).then_some(first)
}

impl Release {
    /// The release that several versions name.
    fn new(named: &[&Version]) -> Self {
        let only_for = only_for(named).map(str::to_owned);
        let version = without_build(named[0]);
        let text = text_of(&version);
        Self {
            served: format!("{text}+{}", only_for.as_deref().unwrap_or(Arch::default().name())),
            text,
            version,
            only_for,
            minor: Minor::of(named[0]),
            is_general: is_general(named[0]),
        }
    }

    /// Whether it is the release that several versions name.
    fn is_of(&self, named: &[&Version]) -> bool {
        self.only_for.as_deref() == only_for(named) && cmp_core(&self.version, named[0]).is_eq()
    }

    /// Whether another repository has the same release.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.text == other.text && self.only_for == other.only_for
    }
}

impl Releases {
    /// The releases with these versions. If they are those of another state, it shares them.
    pub(super) fn of<'v>(
        members: impl Iterator<Item = &'v Version>,
        other: Option<&Arc<Self>>,
    ) -> Arc<Self> {
        let mut members: Vec<&Version> = members.collect();
        // The members of each channel are in order, which a stable sort makes use of.
        members.sort_by(|a, b| cmp_core(a, b));
        let alike = || members.chunk_by(|a, b| cmp_core(a, b).is_eq());
        let same = other.filter(|other| {
            other.len() == alike().count()
                && other.list.iter().zip(alike()).all(|(release, named)| release.is_of(named))
        });
        if let Some(same) = same {
            return Arc::clone(same);
        }
        let mut known = other.into_iter().flat_map(|other| &other.list).peekable();
        let release = |named: &[&Version]| {
            let is_before = |known: &&Release| cmp_core(&known.version, named[0]).is_lt();
            while known.next_if(is_before).is_some() {}
            let known = known.next_if(|known| known.is_of(named));
            known.map_or_else(|| Release::new(named), Release::clone)
        };
        Arc::new(Self::new(alike().map(release).collect()))
    }

    fn new(list: Arena<ReleaseId, Release>) -> Self {
        let ids = list.entries().map(|(id, release)| (release.text.clone(), id)).collect();
        let mut minors: Vec<(Minor, Range<ReleaseId>)> = Vec::new();
        for (id, release) in list.entries() {
            let minor = release.minor;
            let end = ReleaseId::at(id.index() + 1);
            match minors.last_mut().filter(|(last, _)| *last == minor) {
                Some((_, range)) => range.end = end,
                None => minors.push((minor, id..end)),
            }
        }
        Self { list, ids, minors }
    }

    /// Whether another repository has the same releases. Then their ids are also the same.
    pub fn are_those_of(&self, other: &Self) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        self.list.len() == other.list.len()
            && self.list.iter().zip(other.list.iter()).all(|(own, other)| own.is_like(other))
    }

    pub fn get(&self, id: ReleaseId) -> &Release {
        &self.list[id]
    }

    /// The release with a version. Ignores build metadata. None if it is in no channel.
    pub fn find(&self, version: &Version) -> Option<ReleaseId> {
        let place = self.list.binary_search_by(|release| cmp_core(&release.version, version));
        place.ok().map(ReleaseId::at)
    }

    /// The releases with some versions. It is faster if these are in order.
    pub fn find_each<'v>(
        &self,
        versions: impl Iterator<Item = &'v Version>,
    ) -> impl Iterator<Item = Option<ReleaseId>> {
        let mut next = ReleaseId::at(0);
        versions.map(move |version| {
            let is_next = |release: &Release| cmp_core(&release.version, version).is_eq();
            let is_found = self.list.get(next.index()).is_some_and(is_next);
            let found = if is_found { Some(next) } else { self.find(version) };
            if let Some(found) = found {
                next = ReleaseId::at(found.index() + 1);
            }
            found
        })
    }

    /// The release with a version, given as text. Ignores build metadata.
    pub fn named(&self, text: &str) -> Option<ReleaseId> {
        // This lookup is faster than searching for a `+`.
        self.ids.get(text).or_else(|| self.ids.get(strip_build(text))).copied()
    }

    /// The releases from one version to another, inclusive.
    pub fn between_versions(&self, min: &Version, max: &Version) -> Range<ReleaseId> {
        let start = self.list.partition_point(|release| release.version < *min);
        let end = self.list.partition_point(|release| release.version <= *max);
        ReleaseId::at(start)..ReleaseId::at(end.max(start))
    }

    /// Releases in words, with neighbors joined as ranges: `4.17.0–4.17.9, 4.17.12`.
    pub(crate) fn in_ranges(&self, releases: &[ReleaseId]) -> String {
        let is_next = |a: &ReleaseId, b: &ReleaseId| self.are_neighbours(*a, *b);
        in_ranges(releases, is_next, |id| &self.get(*id).text)
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Every release, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ReleaseId, &Release)> {
        self.list.entries()
    }

    /// The minors, oldest first.
    pub(crate) fn minors(&self) -> Vec<Minor> {
        self.minors.iter().map(|(minor, _)| *minor).collect()
    }

    /// The releases of one minor, oldest first.
    pub fn of_minor(&self, minor: Minor) -> impl DoubleEndedIterator<Item = ReleaseId> + use<> {
        each_id(self.range_of(minor))
    }

    /// The releases of one minor in a sorted list.
    pub fn within<'i>(&self, ids: &'i [ReleaseId], minor: Minor) -> &'i [ReleaseId] {
        let range = self.range_of(minor);
        let place = |end: ReleaseId| ids.partition_point(|id| *id < end);
        &ids[place(range.start)..place(range.end)]
    }

    /// The releases of one minor, as a range.
    pub fn range_of(&self, minor: Minor) -> Range<ReleaseId> {
        match self.minors.binary_search_by_key(&minor, |(known, _)| *known) {
            Ok(at) => self.minors[at].1.clone(),
            Err(next) => {
                let at = self
                    .minors
                    .get(next)
                    .map_or(ReleaseId::at(self.list.len()), |(_, next)| next.start);
                at..at
            }
        }
    }

    /// Whether a release directly follows another one of the same minor.
    pub fn are_neighbours(&self, a: ReleaseId, b: ReleaseId) -> bool {
        a.index() + 1 == b.index() && self.are_of_one_minor(a, b)
    }

    /// Whether two releases are of the same minor.
    pub fn are_of_one_minor(&self, a: ReleaseId, b: ReleaseId) -> bool {
        Minor::of(&self.get(a).version) == Minor::of(&self.get(b).version)
    }

    /// The highest known minor that is lower.
    pub fn minor_before(&self, minor: Minor) -> Option<Minor> {
        let next = self.minors.partition_point(|(known, _)| *known < minor);
        Some(self.minors[next.checked_sub(1)?].0)
    }

    /// Whether no channel has a version, and it is not one of the next releases either. Some
    /// declarations are made before their release is enabled.
    pub fn is_beyond(&self, version: &Version) -> bool {
        let minor = Minor::of(version);
        let newest = |minor| self.of_minor(minor).next_back().map(|id| self.get(id).version.patch);
        match (newest(minor), self.minor_before(minor)) {
            (Some(newest), _) => version.patch > newest.saturating_add(NEXT),
            // The next minor follows the newest one, and begins with pre-releases.
            (None, Some(before)) => {
                let follows = minor.major == before.major
                    && before.minor.checked_add(1) == Some(minor.minor)
                    || before.major.checked_add(1) == Some(minor.major) && minor.minor == 0;
                let is_newest = self.minors.last().is_some_and(|(newest, _)| *newest == before);
                !(follows && is_newest && version.patch <= NEXT)
            }
            (None, None) => !self.is_empty(),
        }
    }

    /// The version that was probably meant by an unknown one: a release, or one of the next
    /// releases, that differs by one typing mistake. If there is none, the newest release of the
    /// minor, or of all.
    pub fn nearest(&self, version: &Version) -> Option<String> {
        self.nearest_among(version, |slip| self.is_expected(slip))
    }

    /// Like [`nearest`](Self::nearest), but only releases.
    pub fn nearest_release(&self, version: &Version) -> Option<String> {
        self.nearest_among(version, |slip| self.find(slip).is_some())
    }

    fn nearest_among(
        &self,
        version: &Version,
        is_known: impl Fn(&Version) -> bool,
    ) -> Option<String> {
        let slip = version_slip(version, is_known);
        let newest = || self.of_minor(Minor::of(version)).next_back();
        let newest = || newest().or_else(|| Some(self.iter().next_back()?.0));
        slip.or_else(|| newest().map(|id| self.get(id).text.clone()))
    }

    /// Whether a version is a release, or one of the next releases after the newest of its minor.
    pub fn is_expected(&self, version: &Version) -> bool {
        let newest = self.of_minor(Minor::of(version)).next_back();
        self.find(version).is_some()
            || newest.is_some_and(|newest| {
                self.get(newest).version < *version && !self.is_beyond(version)
            })
    }

    /// The releases that may have an update to `target`: the older releases of its minor, and all
    /// of the previous minor. Only release images say which of them do.
    pub fn possible_origins(&self, target: &Version) -> Range<ReleaseId> {
        let minor = Minor::of(target);
        let first = self.minor_before(minor).unwrap_or(minor);
        let is_older = |release: &Release| release.version.cmp_precedence(target).is_lt();
        let (start, own) = (self.range_of(first).start, self.range_of(minor));
        let older = self.list.range(own.start..own.end).partition_point(is_older);
        start..ReleaseId::at((own.start.index() + older).max(start.index()))
    }

    /// The possible origins of a release.
    pub(super) fn possible_origins_of(&self, target: ReleaseId) -> Range<ReleaseId> {
        let minor = self.get(target).minor;
        let first = self.minor_before(minor).unwrap_or(minor);
        self.range_of(first).start..target
    }
}

impl Release {
    /// The architectures for which a test is true of the version as the service writes it. All, if
    /// the release is for one architecture only.
    pub(super) fn architectures_where(&self, test: &dyn Fn(&str) -> bool) -> ArchSet {
        if self.only_for.is_some() {
            return if test(&self.served) { ArchSet::EVERY } else { ArchSet::default() };
        }
        let is_matching = |arch: &Arch| test(&format!("{}+{arch}", self.text));
        Arch::ALL.iter().copied().filter(is_matching).collect()
    }

    /// Its architectures: the one in its version, or all. Empty if its build metadata is not an
    /// architecture.
    pub fn architectures(&self) -> Vec<Arch> {
        match &self.only_for {
            Some(only) => Arch::named(only).into_iter().collect(),
            None => Arch::named(&self.version.pre).map_or(Arch::ALL.to_vec(), |arch| vec![arch]),
        }
    }

    /// Whether it is generally available, and not a pre-release.
    pub fn is_general(&self) -> bool {
        self.is_general
    }
}
