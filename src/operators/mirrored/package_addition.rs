//! The smallest selections of a package that unblock its stuck installs.

use std::collections::BTreeSet;

use crate::catalog::Package;
use crate::domain::Minor;
use crate::mirror::{MirroredCatalog, MirroredPackage, MirroredPackageChannel};
use crate::text::Failure;

use super::filter::mirrored;
use super::stages::{MirroredStage, OnStages, UpdatingCluster, channels_of};

/// A package of the configuration that adds what its stuck installs need from one catalog.
#[derive(Debug)]
pub(crate) struct PackageAddition {
    /// The image of the catalog.
    pub catalog: String,
    pub package: MirroredPackage,
    /// The bundles that it adds.
    pub bundles: Vec<String>,
}

/// A selection of a package to try, and what is mirrored of it.
struct Trial {
    addition: PackageAddition,
    kept: Package,
}

impl PackageAddition {
    /// The additions with which no install of a package is stuck, at most one for each catalog.
    /// What they mirror goes into `kept`. None if none were found, and then `kept` stays as it is.
    pub(super) fn all(
        stages: &[MirroredStage<'_>],
        kept: &mut Vec<Vec<Package>>,
        clusters: &[UpdatingCluster<'_>],
        package: &str,
    ) -> Result<Option<Vec<Self>>, Failure> {
        let mut now = kept.clone();
        let mut additions: Vec<Self> = Vec::new();
        while let Some(at) = first_lacking(stages, &now, clusters, package)? {
            let mut trials = trials(&stages[at], &now[at], clusters, package);
            trials.sort_by_key(|trial| trial.addition.bundles.len());
            let mut is_better = false;
            for trial in trials {
                let before = replace(&mut now[at], trial.kept);
                // Another stage may lack something, too. It comes next.
                let lacking = first_lacking(stages, &now, clusters, package)?;
                if lacking.is_none_or(|next| next > at) {
                    additions.push(trial.addition);
                    is_better = true;
                    break;
                }
                now[at] = before;
            }
            if !is_better {
                return Ok(None);
            }
        }
        *kept = now;
        Ok(Some(additions))
    }
}

/// The first stage whose catalog lacks something for an install of a package.
fn first_lacking(
    stages: &[MirroredStage<'_>],
    kept: &[Vec<Package>],
    clusters: &[UpdatingCluster<'_>],
    package: &str,
) -> Result<Option<usize>, Failure> {
    let mut lacking: BTreeSet<usize> = BTreeSet::new();
    for cluster in clusters {
        let Some(first) = cluster.minors.first() else { continue };
        let on_path = OnStages::of(stages, kept, &cluster.minors);
        for one in cluster.installed {
            if on_path.package_of(one).is_none_or(|own| own.name != package) {
                continue;
            }
            if let Some(why) = on_path.stuck(one, package)? {
                let minor: Minor = why.minor(*first);
                lacking.extend(stages.iter().position(|stage| stage.minor == minor));
            }
        }
    }
    Ok(lacking.first().copied())
}

/// Puts another selection of a package into a catalog. Returns the catalog as it was.
fn replace(packages: &mut Vec<Package>, package: Package) -> Vec<Package> {
    let before = packages.clone();
    packages.retain(|one| one.name != package.name);
    packages.push(package);
    before
}

/// The selections to try, without those that drop a mirrored bundle.
fn trials(
    stage: &MirroredStage<'_>,
    packages: &[Package],
    clusters: &[UpdatingCluster<'_>],
    package: &str,
) -> Vec<Trial> {
    let now = packages.iter().find(|one| one.name == package);
    let mut trials = Vec::new();
    for (wanted, all) in &stage.catalogs {
        let Some(whole) = all.iter().find(|one| one.name == package) else { continue };
        for selection in selections(wanted, whole, clusters) {
            let Ok(kept) = mirrored(whole, &selection, false) else { continue };
            let has = |package: Option<&Package>, name: &str| {
                package.is_some_and(|package| package.bundle(name).is_some())
            };
            let mut own = now.into_iter().flat_map(|now| &now.bundles);
            if own.any(|bundle| !has(Some(&kept), &bundle.name)) {
                continue;
            }
            let names = kept.bundles.iter().map(|bundle| bundle.name.clone());
            let bundles = names.filter(|name| !has(now, name)).collect();
            let catalog = wanted.catalog.clone();
            let addition = PackageAddition { catalog, package: selection, bundles };
            trials.push(Trial { addition, kept });
        }
    }
    trials
}

/// Selections of a package: longer ranges of what is selected, for all channels or for those that
/// installs follow.
fn selections(
    wanted: &MirroredCatalog,
    whole: &Package,
    clusters: &[UpdatingCluster<'_>],
) -> Vec<MirroredPackage> {
    let installed = clusters.iter().flat_map(|cluster| cluster.installed);
    let mut followed: BTreeSet<&str> = BTreeSet::new();
    for one in installed.filter(|one| one.package.as_deref() == Some(&whole.name)) {
        followed.extend(channels_of(whole, one));
    }
    let own = wanted.packages.iter().find(|one| one.name == whole.name);
    let new = || MirroredPackage { name: whole.name.clone(), ..MirroredPackage::default() };
    let simple = own.cloned().unwrap_or_else(new);
    let by_channel = by_channel(&simple, own.is_some(), whole, &followed);
    let mut found = vec![by_channel.clone()];
    for min in lower_ends(whole) {
        for keeps_max in [true, false] {
            let mut narrow = by_channel.clone();
            for channel in &mut narrow.channels {
                if followed.contains(channel.name.as_str()) {
                    longer(&mut channel.min_version, &mut channel.max_version, &min, keeps_max);
                }
            }
            found.push(narrow);
            if simple.channels.is_empty() {
                let mut wide = simple.clone();
                longer(&mut wide.min_version, &mut wide.max_version, &min, keeps_max);
                found.push(wide);
            }
        }
    }
    found
}

fn longer(min_version: &mut String, max_version: &mut String, min: &str, keeps_max: bool) {
    min.clone_into(min_version);
    if !keeps_max {
        max_version.clear();
    }
}

/// A selection that names its channels: those that it has, or all, and those that installs follow.
/// A range of the package becomes that of its channels.
fn by_channel(
    selection: &MirroredPackage,
    is_selected: bool,
    whole: &Package,
    followed: &BTreeSet<&str>,
) -> MirroredPackage {
    let mut listed = selection.clone();
    listed.channels.retain(|channel| whole.channel(&channel.name).is_some());
    if is_selected && selection.channels.is_empty() {
        let names = whole.channels.iter().map(|channel| channel.name.clone());
        let new = |name| MirroredPackageChannel { name, ..Default::default() };
        listed.channels = names.map(new).collect();
    }
    for channel in &mut listed.channels {
        if channel.min_version.is_empty() && channel.max_version.is_empty() {
            channel.min_version.clone_from(&selection.min_version);
            channel.max_version.clone_from(&selection.max_version);
        }
    }
    listed.min_version.clear();
    listed.max_version.clear();
    for name in followed {
        if listed.channels.iter().all(|channel| channel.name != *name) {
            let name = (*name).to_owned();
            listed.channels.push(MirroredPackageChannel { name, ..Default::default() });
        }
    }
    let has_default = listed.channels.iter().any(|one| one.name == whole.default_channel);
    if !has_default && listed.default_channel.is_empty() {
        let first = listed.channels.first().map(|one| one.name.clone());
        listed.default_channel = first.unwrap_or_default();
    }
    listed
}

/// The lower ends of ranges to try: each version, and from its first pre-release on.
fn lower_ends(whole: &Package) -> BTreeSet<String> {
    let versions = whole.bundles.iter().filter_map(|bundle| bundle.version.as_ref());
    let ends = versions.flat_map(|version| {
        let version = &version.version;
        let (major, minor, patch) = (version.major(), version.minor(), version.patch());
        [version.to_string(), format!("{major}.{minor}.{patch}-0")]
    });
    ends.collect()
}
