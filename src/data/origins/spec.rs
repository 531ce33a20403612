//! Origins in words: `4.18.3`, `4.17..4.18.20`, `..4.18`, `4.18.3..`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use crate::domain::{Minor, Version, version};
use crate::text::Failure;

use super::minors::{KnownMinor, KnownReleases, MinorOrigins, Origins, PreReleases, after_minor};
use super::numbers::Numbers;

/// A release, a minor, or a range of them, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    start: Option<RangeEnd>,
    end: Option<RangeEnd>,
}

/// An end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RangeEnd {
    /// With all its releases.
    Minor(Minor),
    Release(Version),
}

impl RangeEnd {
    fn minor(&self) -> Minor {
        match self {
            Self::Minor(minor) => *minor,
            Self::Release(version) => Minor::of(version),
        }
    }

    fn is_after(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Release(first), Self::Release(last)) => first > last,
            _ => self.minor() > other.minor(),
        }
    }

    fn release(&self, minor: Minor) -> Option<&Version> {
        match self {
            Self::Release(version) if Minor::of(version) == minor => Some(version),
            Self::Minor(_) | Self::Release(_) => None,
        }
    }
}

impl fmt::Display for RangeEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minor(minor) => write!(f, "{minor}"),
            Self::Release(version) => write!(f, "{version}"),
        }
    }
}

/// As people write it.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, end } = self;
        if start == end
            && let Some(only) = start
        {
            return write!(f, "{only}");
        }
        let text =
            |end: &Option<RangeEnd>| end.as_ref().map_or_else(String::new, RangeEnd::to_string);
        write!(f, "{}..{}", text(start), text(end))
    }
}

impl FromStr for RangeEnd {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        if let Some(minor) = Minor::parse(text) {
            return Ok(Self::Minor(minor));
        }
        match version::parse(text) {
            Some(version) if version.build.is_empty() => Ok(Self::Release(version)),
            Some(version) => {
                let failure = Failure::new(format!("`{text}` names an architecture"));
                Err(failure.hint(format!("use `--arch {}`", version.build)))
            }
            None => {
                let what = format!("`{text}` is not a version (4.18.3) or a minor version (4.18)");
                Err(Failure::new(what))
            }
        }
    }
}

impl FromStr for Spec {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let Some((start, end)) = text.split_once("..") else {
            let only: RangeEnd = text.parse()?;
            return Ok(Self { start: Some(only.clone()), end: Some(only) });
        };
        let parse = |text: &str| if text.is_empty() { Ok(None) } else { text.parse().map(Some) };
        let (start, end): (Option<RangeEnd>, Option<RangeEnd>) = (parse(start)?, parse(end)?);
        match (&start, &end) {
            (None, None) => {
                Err(Failure::new("`..` has no end").hint("for all releases, the pattern is `.*`"))
            }
            (Some(first), Some(last)) if first.is_after(last) => {
                Err(Failure::new(format!("`{text}` begins after its end")))
            }
            _ => Ok(Self { start, end }),
        }
    }
}

/// The origins that these specs name, without `except`. `pre_releases` says whether they have the
/// pre-releases between their ends. Those that the specs name count in any case.
pub(crate) fn origins(
    known: &KnownReleases,
    specs: &[Spec],
    except: &[Spec],
    pre_releases: bool,
) -> Result<Origins, Failure> {
    for end in specs.iter().chain(except).flat_map(|spec| [&spec.start, &spec.end]).flatten() {
        check(known, end)?;
    }
    let all = without(known, specs, &[], pre_releases);
    let has_no_effect =
        |one: &&Spec| without(known, specs, std::slice::from_ref(*one), pre_releases) == all;
    if let Some(idle) = except.iter().find(has_no_effect) {
        return Err(Failure::new(format!("`{idle}` is not among the origins")));
    }
    let origins = without(known, specs, except, pre_releases);
    if origins.is_empty() {
        return Err(Failure::new("no release is left: the exceptions name all of them"));
    }
    Ok(origins)
}

fn without(known: &KnownReleases, specs: &[Spec], except: &[Spec], pre_releases: bool) -> Origins {
    let mut by_minor: BTreeMap<Minor, MinorOrigins> = BTreeMap::new();
    for (minor, releases) in known.minors() {
        let of = |specs: &[Spec], all| {
            let parts = specs.iter().filter_map(|spec| spec.part(minor, releases, all));
            parts.fold((Numbers::default(), BTreeSet::new()), |(patches, mut some), part| {
                some.extend(part.1);
                (patches.union(&part.0), some)
            })
        };
        let (wanted, excluded) = (of(specs, pre_releases), of(except, true));
        let patches = wanted.0.without(&excluded.0);
        let some: BTreeSet<&Version> = wanted.1.difference(&excluded.1).copied().collect();
        let of_patches = MinorOrigins { patches, pre_releases: PreReleases::OfPatches };
        let mut all = releases.pre_releases.iter();
        let are_of_patches = all.all(|pre| of_patches.hold(pre) == some.contains(pre));
        let origins = if pre_releases && are_of_patches && !of_patches.patches.is_empty() {
            of_patches
        } else {
            let these = some.into_iter().map(after_minor).collect();
            MinorOrigins { pre_releases: PreReleases::These(these), ..of_patches }
        };
        by_minor.insert(minor, origins);
    }
    Origins::of(by_minor)
}

/// The known releases that a spec names, oldest first.
pub(crate) fn releases(
    known: &KnownReleases,
    spec: &Spec,
    pre_releases: bool,
) -> Result<Vec<Version>, Failure> {
    for end in [&spec.start, &spec.end].into_iter().flatten() {
        check(known, end)?;
    }
    let mut named = Vec::new();
    for (minor, releases) in known.minors() {
        let Some((patches, some)) = spec.part(minor, releases, pre_releases) else { continue };
        let version = |patch: &u64| Version::new(minor.major, minor.minor, *patch);
        named.extend(some.into_iter().cloned());
        named.extend(releases.patches.iter().filter(|at| patches.contains(**at)).map(version));
    }
    named.sort_unstable();
    Ok(named)
}

/// Fails if a repository does not know an end.
fn check(known: &KnownReleases, end: &RangeEnd) -> Result<(), Failure> {
    let minor = end.minor();
    let Some(releases) = known.minor(minor) else {
        let newest = known.minors().last().map(|(minor, _)| minor);
        let failure = Failure::new(format!("no channel has a release of {minor}"));
        return Err(match newest {
            Some(newest) => failure.hint(format!("the newest minor version is {newest}")),
            None => failure,
        });
    };
    let RangeEnd::Release(version) = end else { return Ok(()) };
    if !version.pre.is_empty() && !releases.pre_releases.contains(version) {
        return Err(Failure::new(format!("no channel has {version}")));
    }
    if version.patch > releases.last_patch() {
        let newest = releases.patches.last().copied().unwrap_or_default();
        let what = format!("{version} is more than 50 patches after the newest, {minor}.{newest}");
        return Err(Failure::new(what));
    }
    Ok(())
}

impl Spec {
    /// The release that it names, if it is only one.
    pub(crate) fn single(&self) -> Option<&Version> {
        match (&self.start, &self.end) {
            (Some(RangeEnd::Release(start)), Some(RangeEnd::Release(end))) if start == end => {
                Some(start)
            }
            _ => None,
        }
    }

    /// Whether it names a release, pre-releases included.
    pub(crate) fn has(&self, version: &Version) -> bool {
        let is_after = self.start.as_ref().is_none_or(|start| match start {
            RangeEnd::Minor(minor) => *minor <= Minor::of(version),
            RangeEnd::Release(start) => start.cmp_precedence(version).is_le(),
        });
        let is_before = self.end.as_ref().is_none_or(|end| match end {
            RangeEnd::Minor(minor) => Minor::of(version) <= *minor,
            RangeEnd::Release(end) => version.cmp_precedence(end).is_le(),
        });
        is_after && is_before
    }

    /// From one release to another, ends included.
    pub(crate) fn between(start: Version, end: Version) -> Self {
        Self { start: Some(RangeEnd::Release(start)), end: Some(RangeEnd::Release(end)) }
    }

    /// From a release to the end of its minor.
    pub(crate) fn since(start: Version) -> Self {
        let minor = Minor::of(&start);
        Self { start: Some(RangeEnd::Release(start)), end: Some(RangeEnd::Minor(minor)) }
    }

    /// All releases of a minor.
    pub(crate) fn of_minor(minor: Minor) -> Self {
        Self { start: Some(RangeEnd::Minor(minor)), end: Some(RangeEnd::Minor(minor)) }
    }

    /// The patches and the pre-releases of a minor. None if the range does not have the minor.
    fn part<'k>(
        &self,
        minor: Minor,
        known: &'k KnownMinor,
        pre_releases: bool,
    ) -> Option<(Numbers, BTreeSet<&'k Version>)> {
        let is_after = self.start.as_ref().is_none_or(|start| start.minor() <= minor);
        let is_before = self.end.as_ref().is_none_or(|end| minor <= end.minor());
        if !is_after || !is_before {
            return None;
        }
        let start = self.start.as_ref().and_then(|start| start.release(minor));
        let end = self.end.as_ref().and_then(|end| end.release(minor));
        let first = start.map_or(0, |start| start.patch);
        let patches = match end {
            None => Numbers::new([], Some(first)),
            // A pre-release is before its patch.
            Some(end) if !end.pre.is_empty() => Numbers::new(first..end.patch, None),
            Some(end) => Numbers::new(first..=end.patch, None),
        };
        let is_pre = |end: Option<&Version>| end.is_some_and(|end| !end.pre.is_empty());
        let is_in_range = |pre: &&Version| {
            start.is_none_or(|start| start <= *pre) && end.is_none_or(|end| *pre <= end)
        };
        let counts = pre_releases || is_pre(start) || is_pre(end);
        let pre = known.pre_releases.iter().filter(|pre| counts && is_in_range(pre));
        Some((patches, pre.collect()))
    }
}
