//! Which releases of each minor are origins, for reports.

use crate::domain::{Minor, Named, Version};

use super::minors::{KnownReleases, MinorOrigins, Origins};

/// The origins of one minor.
#[derive(Debug)]
pub(crate) struct Reach {
    pub minor: Minor,
    /// The generally available ones, each with its place among those of the minor.
    pub patches: Vec<(usize, String)>,
    pub later: Later,
    /// The pre-releases, each with its place among those of the minor.
    pub pre_releases: Vec<(usize, String)>,
    /// How many pre-releases the minor has.
    pub all_pre_releases: usize,
    /// Whether the minor may get more pre-releases.
    pub is_coming: bool,
}

/// Which patches after the newest one are origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Later {
    All,
    Some,
    None,
}

impl Named for Later {
    const ALL: &'static [Self] = &[Self::All, Self::Some, Self::None];

    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Some => "some",
            Self::None => "none",
        }
    }
}

impl Origins {
    /// The minors with origins, and which of their releases are origins.
    pub(crate) fn reach(&self, known: &KnownReleases) -> Vec<Reach> {
        let reach = |(minor, origins): (Minor, &MinorOrigins)| {
            let known = known.minor(minor)?;
            let version = |patch: &u64| Version::new(minor.major, minor.minor, *patch);
            let patches: Vec<Version> = known.patches.iter().map(version).collect();
            let newest = known.patches.last().map_or(0, |newest| newest + 1);
            let next: Vec<bool> =
                (newest..=known.last_patch()).map(|at| origins.patches.contains(at)).collect();
            let later = match (next.contains(&true), next.contains(&false)) {
                (true, false) => Later::All,
                (true, true) => Later::Some,
                (false, _) => Later::None,
            };
            let of = |versions: &mut dyn Iterator<Item = &Version>| -> Vec<(usize, String)> {
                let all = versions.enumerate().filter(|(_, version)| origins.hold(version));
                all.map(|(at, version)| (at, version.to_string())).collect()
            };
            Some(Reach {
                minor,
                patches: of(&mut patches.iter()),
                later,
                pre_releases: of(&mut known.pre_releases.iter()),
                all_pre_releases: known.pre_releases.len(),
                is_coming: known.is_coming(),
            })
        };
        self.0.iter().map(|(minor, origins)| (*minor, origins)).filter_map(reach).collect()
    }
}
