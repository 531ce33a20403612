//! Which installed operators get stuck with mirrored catalogs, and what unblocks them.

use std::collections::BTreeSet;

use crate::bridge::Installed;
use crate::catalog::Package;
use crate::text::Failure;

use super::package_addition::PackageAddition;
use super::stages::{MirroredStage, OnStages, OperatorStuckBecause, UpdatingCluster};

/// An installed operator that can continue only without the mirror.
#[derive(Debug)]
pub(crate) struct OperatorStuck<'c> {
    /// The name of its cluster.
    pub cluster: &'c str,
    pub installed: &'c Installed,
    pub package: String,
    pub why: OperatorStuckBecause,
}

#[derive(Debug, Default)]
pub(crate) struct StuckOperators<'c> {
    pub stuck: Vec<OperatorStuck<'c>>,
    /// Packages of the configuration that unblock them, tried together on the catalogs that
    /// oc-mirror would make.
    pub additions: Vec<PackageAddition>,
    /// The packages for which no addition was found.
    pub without_addition: Vec<String>,
    /// How many installed operators were checked.
    pub checked: usize,
}

impl<'c> StuckOperators<'c> {
    pub(crate) fn of(
        stages: &[MirroredStage<'_>],
        clusters: &[UpdatingCluster<'c>],
    ) -> Result<Self, Failure> {
        let mut found = Self::default();
        let mut kept: Vec<Vec<Package>> = stages.iter().map(|one| one.mirrored.clone()).collect();
        for cluster in clusters {
            let on_path = OnStages::of(stages, &kept, &cluster.minors);
            for one in cluster.installed {
                let Some(package) = on_path.package_of(one) else { continue };
                found.checked += 1;
                if let Some(why) = on_path.stuck(one, &package.name)? {
                    let package = package.name.clone();
                    let cluster = cluster.name;
                    found.stuck.push(OperatorStuck { cluster, installed: one, package, why });
                }
            }
        }
        let packages: BTreeSet<&str> = found.stuck.iter().map(|one| one.package.as_str()).collect();
        for package in packages {
            match PackageAddition::all(stages, &mut kept, clusters, package)? {
                Some(additions) => found.additions.extend(additions),
                None => found.without_addition.push(package.to_owned()),
            }
        }
        Ok(found)
    }
}
