//! `exitpath catalog bridge`.

mod catalogs;
mod clusters;
mod route;

use std::collections::BTreeMap;
use std::io::Write;

use crate::bridge::{Bridge, Cluster, Stage};
use crate::cli::catalog_args::CatalogBridgeArgs;
use crate::cli::common_args::CommonArgs;
use crate::domain::{Minor, version};
use crate::report::{BridgeReport, CheckedClusters, Style};
use crate::text::Failure;

use super::{Status, Stop};
use catalogs::CatalogsByMinor;
use clusters::named_clusters;
use route::{Goal, Router};

pub(super) fn run(
    args: &CatalogBridgeArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let mut named = named_clusters(args, common, err)?;
    let first = first_minor(args, &named)?;
    let catalogs = CatalogsByMinor::read(args, first, common, err)?;
    let is_whole_catalog = named.is_empty();
    catalogs.check_names(args)?;
    if let Some(package) = &args.package {
        for cluster in &mut named {
            catalogs.retain(package, &mut cluster.installed);
        }
    }
    let clusters = if is_whole_catalog { vec![catalogs.every_entry(args)?] } else { named };
    let router = Router::open(args, common, err)?;
    let mut alike: BTreeMap<String, (&Cluster, Vec<&str>)> = BTreeMap::new();
    for cluster in &clusters {
        let key = format!("{:?}", (&cluster.version, &cluster.installed));
        let group = alike.entry(key).or_insert_with(|| (cluster, Vec::new()));
        group.1.push(&cluster.name);
    }
    let mut plans: Vec<Plan<'_>> = Vec::new();
    for (cluster, names) in alike.into_values() {
        plans.push(Plan { cluster, names, goal: router.goal(args, cluster)? });
    }
    // Most clusters first.
    plans.sort_by(|a, b| {
        b.names.len().cmp(&a.names.len()).then_with(|| a.cluster.name.cmp(&b.cluster.name))
    });
    let stages: Vec<Vec<Stage<'_>>> =
        plans.iter().map(|plan| catalogs.stages(plan.goal.minors())).collect();
    let mut report =
        BridgeReport { clusters: Vec::new(), resolver: args.resolver.policy, is_whole_catalog };
    for (plan, stages) in plans.iter().zip(&stages) {
        report.clusters.push(checked(plan, stages, args)?);
    }
    if !report.clusters.iter().any(is_checked) {
        return Err(nothing(&report).into());
    }
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(report.is_held_back() || report.has_losses()))
}

/// Whether the clusters stay at their version, or the limit of one of their operators is known.
fn is_checked(clusters: &CheckedClusters<'_>) -> bool {
    clusters.stages.as_ref().is_ok_and(|stages| {
        stages.len() < 2 || clusters.verdicts.iter().any(|verdict| verdict.limit.is_some())
    })
}

/// Clusters that are alike, and where they should get.
struct Plan<'a> {
    cluster: &'a Cluster,
    names: Vec<&'a str>,
    goal: Goal,
}

fn checked<'a>(
    plan: &'a Plan<'a>,
    stages: &'a [Stage<'a>],
    args: &CatalogBridgeArgs,
) -> Result<CheckedClusters<'a>, Failure> {
    let (to, paths, result) = match &plan.goal {
        Goal::Paths { to, paths, .. } => (to.clone(), paths.clone(), Ok(stages.to_vec())),
        Goal::NotChecked(why) => (
            args.to.clone().unwrap_or_else(|| "the next minor version".to_owned()),
            Vec::new(),
            Err(why.clone()),
        ),
    };
    let bridge = Bridge { stages, resolver: args.resolver.policy };
    let verdicts = match &result {
        Ok(_) => bridge
            .verdicts(&plan.cluster.installed)
            .map_err(|what| Failure::new(format!("{what} is too large to simulate")))?,
        Err(_) => Vec::new(),
    };
    let from = plan.cluster.version.clone().unwrap_or_else(|| "unknown".to_owned());
    Ok(CheckedClusters { names: plan.names.clone(), from, to, stages: result, paths, verdicts })
}

fn nothing(report: &BridgeReport<'_>) -> Failure {
    let whys = report.clusters.iter().find_map(|one| one.stages.as_ref().err());
    match whys {
        Some(why) => why.clone().at("nothing was checked"),
        None if report.clusters.iter().all(|one| one.verdicts.is_empty()) => {
            Failure::new("nothing was checked: there are no installed operators")
        }
        None => Failure::new(
            "nothing was checked: no catalog says how far the installed operators support OpenShift",
        )
        .hint("name the catalog that the operators are from"),
    }
}

/// The version of OpenShift that the first catalog is for.
fn first_minor(args: &CatalogBridgeArgs, clusters: &[Cluster]) -> Result<Option<Minor>, Failure> {
    if let Some(from) = &args.from {
        return minor_of(from).map(Some);
    }
    let minors = clusters.iter().filter_map(|cluster| minor_of(cluster.version.as_deref()?).ok());
    let mut minors: Vec<Minor> = minors.collect();
    minors.sort();
    minors.dedup();
    Ok(match minors.as_slice() {
        [only] => Some(*only),
        _ => None,
    })
}

/// The minor version of a release, or a minor version.
fn minor_of(text: &str) -> Result<Minor, Failure> {
    let release = version::parse(text).map(|version| Minor::of(&version));
    release.or_else(|| Minor::parse(text)).ok_or_else(|| {
        Failure::new(format!("`{text}` is neither a release nor a minor version of OpenShift"))
            .hint("write it like 4.16.20 or 4.16")
    })
}
