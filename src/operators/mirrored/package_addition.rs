//! The smallest selection of a package that unblocks its stuck installs.

use std::collections::BTreeSet;

use crate::catalog::Package;
use crate::mirror::{MirroredCatalog, MirroredPackage, MirroredPackageChannel};
use crate::text::Failure;

use super::filter::mirrored;
use super::stages::{MirroredStage, OnStages, UpdatingCluster, channels_of};

/// A package of the configuration that unblocks all its stuck installs, tried on the catalog that
/// oc-mirror would make.
#[derive(Debug)]
pub(crate) struct PackageAddition {
    /// The image of the catalog.
    pub catalog: String,
    pub package: MirroredPackage,
    /// The bundles that it brings.
    pub bundles: Vec<String>,
}

impl PackageAddition {
    /// The selection of a package with the fewest bundles that unblocks all its installs.
    pub(super) fn of(
        stages: &[MirroredStage<'_>],
        clusters: &[UpdatingCluster<'_>],
        package: &str,
    ) -> Result<Option<Self>, Failure> {
        let mut best: Option<Self> = None;
        for at in 0..stages.len() {
            for (wanted, packages) in &stages[at].catalogs {
                let Some(whole) = packages.iter().find(|one| one.name == package) else { continue };
                let now = stages[at].mirrored.iter().find(|one| one.name == package);
                for selection in selections(wanted, whole, clusters) {
                    let Ok(kept) = mirrored(whole, &selection, false) else { continue };
                    let is_more =
                        |bundle: &&str| now.is_none_or(|now| now.bundle(bundle).is_none());
                    let names = kept.bundles.iter().map(|bundle| bundle.name.as_str());
                    let bundles: Vec<String> = names.filter(is_more).map(str::to_owned).collect();
                    let loses = now.is_some_and(|now| {
                        now.bundles.iter().any(|bundle| kept.bundle(&bundle.name).is_none())
                    });
                    if loses
                        || best.as_ref().is_some_and(|best| best.bundles.len() <= bundles.len())
                    {
                        continue;
                    }
                    if unblocks_all(stages, (at, kept), clusters, package)? {
                        let catalog = wanted.catalog.clone();
                        best = Some(Self { catalog, package: selection, bundles });
                    }
                }
            }
        }
        Ok(best)
    }
}

/// Selections of a package to try: longer ranges of what is selected, and channels that installs follow.
fn selections(
    wanted: &MirroredCatalog,
    whole: &Package,
    clusters: &[UpdatingCluster<'_>],
) -> Vec<MirroredPackage> {
    let own = wanted.packages.iter().find(|one| one.name == whole.name);
    let new = || MirroredPackage { name: whole.name.clone(), ..MirroredPackage::default() };
    let mut base = own.cloned().unwrap_or_else(new);
    let installed = clusters.iter().flat_map(|cluster| cluster.installed);
    let mut followed: BTreeSet<&str> = BTreeSet::new();
    for one in installed.filter(|one| one.package.as_deref() == Some(&whole.name)) {
        followed.extend(channels_of(whole, one));
    }
    let is_listed = !base.channels.is_empty() || own.is_none();
    if is_listed {
        for name in &followed {
            if base.channels.iter().all(|channel| channel.name != *name) {
                let name = (*name).to_owned();
                base.channels.push(MirroredPackageChannel { name, ..Default::default() });
            }
        }
        let has_default = base.channels.iter().any(|one| one.name == whole.default_channel);
        if !has_default && base.default_channel.is_empty() {
            base.default_channel =
                base.channels.first().map(|one| one.name.clone()).unwrap_or_default();
        }
    }
    let mut found = vec![base.clone()];
    let mut versions: Vec<_> =
        whole.bundles.iter().filter_map(|bundle| bundle.version.as_ref()).collect();
    versions.sort_by(|a, b| b.compare(a));
    for version in versions {
        let min = version.version.to_string();
        let with = |selection: &MirroredPackage, keeps_max: bool| {
            let mut selection = selection.clone();
            for channel in &mut selection.channels {
                channel.min_version.clone_from(&min);
                if !keeps_max {
                    channel.max_version.clear();
                }
            }
            if selection.channels.is_empty() {
                selection.min_version.clone_from(&min);
                if !keeps_max {
                    selection.max_version.clear();
                }
            }
            selection
        };
        found.extend([with(&base, true), with(&base, false)]);
    }
    found
}

/// Whether no install of a package is stuck with another selection of it in one stage.
fn unblocks_all(
    stages: &[MirroredStage<'_>],
    (at, kept): (usize, Package),
    clusters: &[UpdatingCluster<'_>],
    package: &str,
) -> Result<bool, Failure> {
    let other = stages[at].with(&kept);
    for cluster in clusters {
        let mut on_path = OnStages::of(stages, &cluster.minors);
        let own = on_path.mirrored.iter_mut().find(|stage| stage.minor == stages[at].minor);
        if let Some(own) = own {
            own.packages = Some(&other);
        }
        for one in cluster.installed {
            let is_of = on_path.package_of(one).is_some_and(|own| own.name == package);
            if is_of && on_path.stuck(one, package)?.is_some() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
