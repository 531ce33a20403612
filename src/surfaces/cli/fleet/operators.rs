//! The operators that are installed on the clusters of a fleet, and their catalogs.

use std::collections::BTreeMap;
use std::io::Write;

use crate::bridge::{Bridge, Cluster, Stage};
use crate::catalog::Package;
use crate::catalog::simulation::Resolver;
use crate::cli::Stop;
use crate::cli::catalog::Opened;
use crate::cli::catalog_args::CatalogSourceArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::fleet_args::FleetArgs;
use crate::domain::{Minor, version};
use crate::fleet::{ClusterClass, Fleet, GoalPath};
use crate::mirror::{MirrorOutlook, MirroredCatalog};
use crate::mirrored::{MirroredStage, StuckOperators, UpdatingCluster};
use crate::report::{BridgeReport, CheckedClusters, ClusterHop, ClusterPath};
use crate::text::Failure;

use super::mirror::Mirror;

/// A cluster with its operators.
pub(super) struct OperatedCluster {
    pub(super) class: ClusterClass,
    pub(super) operators: Cluster,
}

/// The catalogs of `--catalog`, by their names.
pub(super) struct FleetCatalogs {
    catalogs: Vec<NamedCatalog>,
}

struct NamedCatalog {
    /// A minor version, or the last part of an image.
    name: String,
    minor: Minor,
    opened: Opened,
}

impl FleetCatalogs {
    pub(super) fn read(
        args: &FleetArgs,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let mut catalogs = Vec::new();
        for text in &args.catalog {
            let failure = || {
                Failure::new(format!("`{text}` does not name the catalog's version of OpenShift"))
                    .hint("write `4.16=DIR`, or with the catalog's image, `redhat-operator-index:v4.16=DIR`")
            };
            let (name, folder) = text.split_once('=').ok_or_else(failure)?;
            let minor = minor_of_image(name).or_else(|| Minor::parse(name)).ok_or_else(failure)?;
            let catalog = folder.into();
            let source = CatalogSourceArgs { catalog, rev: None, base: None, history: false };
            let opened = Opened::read(&source, common, err)?;
            catalogs.push(NamedCatalog { name: name.to_owned(), minor, opened });
        }
        Ok(Self { catalogs })
    }

    /// The packages of each minor version: those that are mirrored, or all.
    pub(super) fn packages(
        &self,
        mirrored: Option<&[MirroredStage<'_>]>,
    ) -> BTreeMap<Minor, Vec<Package>> {
        let mut packages: BTreeMap<Minor, Vec<Package>> = BTreeMap::new();
        if let Some(stages) = mirrored {
            let of_stage = |stage: &MirroredStage<'_>| (stage.minor, stage.mirrored.clone());
            return stages.iter().map(of_stage).collect();
        }
        for catalog in &self.catalogs {
            let all = packages.entry(catalog.minor).or_default();
            all.extend(catalog.opened.packages().iter().cloned());
        }
        packages
    }

    /// The mirrored part of each minor version. Fails if the configuration does not mirror one of
    /// the catalogs.
    pub(super) fn mirrored<'c>(
        &'c self,
        mirror: &'c Mirror<'_>,
    ) -> Result<Vec<MirroredStage<'c>>, Failure> {
        let mut stages: BTreeMap<Minor, Vec<(&MirroredCatalog, &[Package])>> = BTreeMap::new();
        for catalog in &self.catalogs {
            let [wanted] = catalog.of_configuration(mirror.catalogs())[..] else {
                let images: Vec<&str> =
                    mirror.catalogs().iter().map(|one| one.catalog.as_str()).collect();
                let what =
                    format!("the configuration does not mirror one catalog `{}`", catalog.name);
                return Err(Failure::new(what).hint(format!("it has {}", images.join(", "))));
            };
            stages.entry(catalog.minor).or_default().push((wanted, catalog.opened.packages()));
        }
        stages.into_iter().map(|(minor, catalogs)| MirroredStage::new(minor, catalogs)).collect()
    }

    /// A note for each catalog of the configuration that no flag gives: its operators are not
    /// checked.
    pub(super) fn missing(&self, mirror: &Mirror<'_>) -> Vec<String> {
        let all = mirror.catalogs();
        let given: Vec<&str> = self
            .catalogs
            .iter()
            .flat_map(|one| one.of_configuration(all))
            .map(|one| one.catalog.as_str())
            .collect();
        let images = all.iter().map(|one| one.catalog.as_str());
        let missing = images.filter(|image| !given.contains(image));
        missing.map(|image| {
            let last = image.rsplit('/').next().unwrap_or(image);
            let name = if minor_of_image(last).is_some() { last } else { "4.18" };
            format!("operators of {image} are not checked: name its folder, as in `--catalog {name}=DIR`")
        }).collect()
    }
}

impl NamedCatalog {
    /// The catalogs of a configuration that this one can be: those with its name or its version. If
    /// there are none, those whose images name no version.
    fn of_configuration<'m>(&self, all: &'m [MirroredCatalog]) -> Vec<&'m MirroredCatalog> {
        let last = |one: &'m MirroredCatalog| one.catalog.rsplit('/').next().unwrap_or_default();
        if Minor::parse(&self.name).is_none() {
            return all.iter().filter(|one| last(one) == self.name).collect();
        }
        let of_minor = |minor| all.iter().filter(move |one| minor_of_image(last(one)) == minor);
        let found: Vec<_> = of_minor(Some(self.minor)).collect();
        if found.is_empty() { of_minor(None).collect() } else { found }
    }
}

/// The version of OpenShift in the tag of a catalog's image.
fn minor_of_image(image: &str) -> Option<Minor> {
    let (_, tag) = image.rsplit_once(':')?;
    Minor::parse(tag.strip_prefix('v').unwrap_or(tag))
}

/// Clusters with operators, on their paths to the goal.
pub(super) struct FleetOperators<'f> {
    clusters: Vec<(&'f OperatedCluster, GoalPath)>,
}

/// Clusters of one release with the same operators and the same path.
pub(super) struct AlikeClusters<'r> {
    names: Vec<&'r str>,
    one: &'r OperatedCluster,
    path: &'r GoalPath,
    stages: Vec<Stage<'r>>,
}

impl<'f> FleetOperators<'f> {
    /// With a mirror, `outlook` has the paths.
    pub(super) fn of(
        operated: &'f [OperatedCluster],
        fleet: &Fleet<'_>,
        outlook: Option<&MirrorOutlook>,
    ) -> Self {
        let path = |class: &ClusterClass| {
            let at = fleet.position(class)?;
            match outlook {
                Some(outlook) => outlook.answers[at].path(),
                None => fleet.classes[at].outlook.goal.as_ref()?.path(),
            }
        };
        let path = |one: &OperatedCluster| path(&one.class).cloned().unwrap_or_default();
        Self { clusters: operated.iter().map(|one| (one, path(one))).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clusters.is_empty()
    }

    /// The operators that get stuck because of a mirror.
    pub(super) fn stuck(
        &self,
        stages: &[MirroredStage<'_>],
    ) -> Result<StuckOperators<'f>, Failure> {
        let clusters = self.clusters.iter().map(|(one, path)| UpdatingCluster {
            name: &one.operators.name,
            installed: &one.operators.installed,
            minors: minors(&one.class.version, path),
        });
        StuckOperators::of(stages, &clusters.collect::<Vec<_>>())
    }

    /// The clusters whose paths lead to another minor version, with their stages.
    pub(super) fn stages<'r>(
        &'r self,
        packages: &'r BTreeMap<Minor, Vec<Package>>,
    ) -> Vec<AlikeClusters<'r>> {
        let mut alike: BTreeMap<String, AlikeClusters<'r>> = BTreeMap::new();
        for (one, path) in &self.clusters {
            let minors = minors(&one.class.version, path);
            if minors.len() < 2 {
                continue;
            }
            let stage = |minor: &Minor| Stage {
                minor: *minor,
                packages: packages.get(minor).map(Vec::as_slice),
            };
            let key =
                format!("{:?}", (&one.class.version, &path.through, &one.operators.installed));
            let stages = || minors.iter().map(stage).collect();
            let new = || AlikeClusters { names: Vec::new(), one, path, stages: stages() };
            alike.entry(key).or_insert_with(new).names.push(&one.operators.name);
        }
        alike.into_values().collect()
    }
}

/// The operators that hold clusters back. None if none of the clusters is known to have some.
pub(super) fn bridge_report<'r>(
    alike: &'r [AlikeClusters<'r>],
) -> Result<Option<BridgeReport<'r>>, Failure> {
    let resolver = Resolver::V0;
    let mut clusters = Vec::new();
    for AlikeClusters { names, one, path, stages } in alike {
        let verdicts = Bridge { stages, resolver }
            .verdicts(&one.operators.installed)
            .map_err(|what| what.at("an operator's catalog is too large to simulate"))?;
        clusters.push(CheckedClusters {
            names: names.clone(),
            from: one.class.version.clone(),
            to: path.through.last().cloned().unwrap_or_default(),
            stages: Ok(stages.clone()),
            paths: vec![cluster_path(&one.class.version, path, stages)],
            verdicts,
        });
    }
    let report = BridgeReport { clusters, resolver, is_whole_catalog: false };
    Ok((!report.clusters.is_empty()).then_some(report))
}

fn minor_of(release: &str) -> Option<Minor> {
    version::parse(release).map(|version| Minor::of(&version))
}

/// The minor versions on a path, beginning with that of the release where it starts.
fn minors(from: &str, path: &GoalPath) -> Vec<Minor> {
    let releases = std::iter::once(from).chain(path.through.iter().map(String::as_str));
    let mut minors: Vec<Minor> = releases.filter_map(minor_of).collect();
    minors.dedup();
    minors
}

fn cluster_path(from: &str, path: &GoalPath, stages: &[Stage<'_>]) -> ClusterPath {
    let before = std::iter::once(from).chain(path.through.iter().map(String::as_str));
    let hops = before.zip(&path.through).map(|(from, to)| {
        let is_left = minor_of(from) != minor_of(to);
        let leaves = stages.iter().position(|stage| Some(stage.minor) == minor_of(from));
        ClusterHop {
            from: from.to_owned(),
            to: to.clone(),
            risks: Vec::new(),
            leaves: leaves.filter(|_| is_left),
        }
    });
    ClusterPath { kind: None, hops: hops.collect() }
}
