//! Finds out which origins a pattern reaches.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::version::write_text;
use crate::domain::{Arch, Minor, Named, Version};

use super::minors::{KnownMinor, KnownReleases, MinorOrigins, Origins, PreReleases, after_minor};
use super::numbers::Numbers;

/// The known releases that a pattern matches, and the next ones. `is_match` says whether it matches
/// a version as the service writes it.
pub(crate) fn reached(
    known: &KnownReleases,
    arch: Arch,
    is_match: &dyn Fn(&str) -> bool,
) -> Origins {
    let mut served = String::new();
    let mut reaches = |version: &Version| {
        served.clear();
        write_text(version, &mut served);
        served.push('+');
        served.push_str(arch.name());
        is_match(&served)
    };
    let of_minor = |(minor, known): (Minor, &KnownMinor)| {
        let last = known.last_patch();
        let patch = |patch| Version::new(minor.major, minor.minor, patch);
        let patches: BTreeSet<u64> = (0..=last).filter(|at| reaches(&patch(*at))).collect();
        let from = patches.contains(&last).then_some(last);
        let patches = Numbers::new(patches, from);
        let pre_releases = known.pre_releases.iter();
        let pre_releases: BTreeSet<&Version> = pre_releases.filter(|pre| reaches(pre)).collect();
        let of_patches = MinorOrigins { patches, pre_releases: PreReleases::OfPatches };
        let is_so = |pre: &&Version| of_patches.hold(pre) == pre_releases.contains(*pre);
        // If no pre-release of the minor is known, the next ones are origins only if the whole
        // minor is.
        let is_whole =
            of_patches.patches.is_all() && is_match(&format!("{minor}.0-rc.0+{}", arch.name()));
        let are_of_patches = if known.pre_releases.is_empty() {
            is_whole
        } else {
            !pre_releases.is_empty() && known.pre_releases.iter().all(|pre| is_so(&pre))
        };
        let origins = if are_of_patches && !of_patches.patches.is_empty() {
            of_patches
        } else {
            let these = pre_releases.into_iter().map(after_minor).collect();
            MinorOrigins { pre_releases: PreReleases::These(these), ..of_patches }
        };
        (minor, origins)
    };
    let by_minor: BTreeMap<Minor, MinorOrigins> = known.minors().map(of_minor).collect();
    Origins::of(by_minor)
}

/// Like `reached`, but None if the pattern matches different releases on different architectures.
pub(crate) fn reached_on_all(
    known: &KnownReleases,
    is_match: &dyn Fn(&str) -> bool,
) -> Option<Origins> {
    let usual = reached(known, Arch::default(), is_match);
    let mut all = Arch::ALL.iter().map(|arch| reached(known, *arch, is_match));
    all.all(|one| one == usual).then_some(usual)
}
