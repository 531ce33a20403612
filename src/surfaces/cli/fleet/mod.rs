//! `exitpath fleet`: what many clusters are offered, and what a change does to them.

pub(super) mod counts;
mod mirror;
mod operators;
mod rows;

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::analysis::RiskNames;
use crate::domain::{Arch, Architectures};
use crate::edit::{FileEdit, write_together};
use crate::fleet::{Defaults, Fleet, FleetGoal, FleetGraph, KeptNames, Patches, patches};
use crate::graph::UpdateGraph;
use crate::graph_data::Consumer;
use crate::metrics::Source;
use crate::mirrored::MirroredStage;
use crate::report::{FleetQueriesReport, FleetReport, Style};
use crate::session::{KnownGraph, Note};
use crate::telemetry::{AskedRisk, ClusterIds, StoreGaps, StoreRequest, rows_of_store};
use crate::text::Failure;
use crate::text::words::counted;

use super::common_args::CommonArgs;
use super::fleet_args::FleetArgs;
use super::metrics_args::of_server;
use super::output::cannot_write;
use super::progress::Progress;
use super::source_args::GraphSourceArgs;
use super::{Status, Stop, print};

use mirror::Mirror;
use operators::{FleetCatalogs, FleetOperators, OperatedCluster, bridge_report};
use rows::read;

pub(super) fn run(
    args: &FleetArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let arch = args.arch.unwrap_or_default();
    let known = args.source.read(None, Architectures::all_with(arch), Consumer::Schema1_1, true)?;
    print::known_graph(&known, common, err)?;
    let before = base(args, arch)?;
    let graphs = [Some(&known), before.as_ref()];
    let risks = AskedRisk::of(graphs.into_iter().flatten().map(|known| &known.graph));
    if args.store.promql {
        return queries(args, &known.graph, risks, style, out);
    }
    refuse_ignored(args)?;
    let defaults = Defaults { channel: args.channel.clone(), arch };
    let goal = args.to.as_deref().map(|to| FleetGoal::parse(to, &known.graph)).transpose()?;
    let mirror = args.mirror.as_deref().map(|file| Mirror::read(file, &known.graph)).transpose()?;
    let fleet_goal = goal.or_else(|| mirror.is_some().then_some(FleetGoal::Newest));
    let before = before.as_ref().map(|known| (&known.graph, RiskNames::of(&known.graph)));
    let graph_before = before
        .as_ref()
        .map(|(graph, names)| FleetGraph::new(graph, names, None, fleet_goal.clone()));
    let names = RiskNames::of(&known.graph);
    let graph = mirror.as_ref().map_or(&known.graph, |mirror| &mirror.graph);
    let graph = FleetGraph::new(graph, &names, known.channel, fleet_goal.clone());
    let kept = KeptNames {
        all: args.write.is_some() || args.list && mirror.is_some(),
        losses: args.list && mirror.is_none(),
    };
    let mut fleet = Fleet::new(graph, graph_before, kept);
    let mut operated: Vec<OperatedCluster> = Vec::new();
    for file in &args.files {
        operated.extend(read(file, &defaults, &mut |row| fleet.take(row))?);
    }
    let catalogs = FleetCatalogs::read(args, common, err)?;
    let gaps = match &args.store.url {
        Some(url) => {
            let (source, notes) = of_server(url, &args.store.access, args.store.time)?;
            print::notes(&notes, common, err)?;
            let asks_upgradeable = fleet_goal.is_some();
            Some(take_store(args, &source, &risks, &defaults, asks_upgradeable, &mut fleet)?)
        }
        None => None,
    };
    if fleet.classes.is_empty() && fleet.all_faults == 0 {
        return Err(no_clusters(gaps.as_ref()).into());
    }
    let source = known.provenance.in_words();
    let goal = args.to.as_deref();
    let gaps = gaps.as_ref();
    let outlook = mirror.as_ref().zip(fleet_goal.as_ref());
    let outlook = outlook.map(|(mirror, goal)| mirror.outlook(&names, goal, &fleet));
    let operators = FleetOperators::of(&operated, &fleet, outlook.as_ref());
    print::notes(&note_on_catalogs(args, &operators), common, err)?;
    let mirrored = mirror.as_ref().map(|mirror| catalogs.mirrored(mirror)).transpose()?;
    let packages = catalogs.packages(mirrored.as_deref());
    let stages = operators.stages(&packages);
    let mirror = match (&mirror, outlook) {
        (Some(mirror), Some(outlook)) => {
            let stages = mirrored.as_deref().unwrap_or_default();
            let missing = missing_catalogs(mirror, &catalogs, &operators, stages);
            Some(mirror.report(outlook, operators.stuck(stages)?, missing))
        }
        _ => None,
    };
    let operators = bridge_report(&stages)?;
    let lists_names = args.list;
    let report = FleetReport { fleet: &fleet, lists_names, goal, source, gaps, mirror, operators };
    if let Some(folder) = &args.write {
        print::notes(&write_patches(folder, &fleet)?, common, err)?;
    }
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(report.is_bad()))
}

/// Counts the clusters of a store.
fn take_store(
    args: &FleetArgs,
    source: &Source,
    risks: &[AskedRisk],
    defaults: &Defaults,
    asks_upgradeable: bool,
    fleet: &mut Fleet<'_>,
) -> Result<StoreGaps, Failure> {
    let label = &args.store.id_label;
    let request = StoreRequest { source, label, risks, defaults, asks_upgradeable };
    let mut progress = Progress::new("slices of the store");
    let mut show = |done, all| progress.show(done, all);
    rows_of_store(&request, &mut |row| fleet.take(Ok(row)), &mut show)
}

/// Says that the catalogs have no effect, if no cluster has operators.
fn note_on_catalogs(args: &FleetArgs, operators: &FleetOperators<'_>) -> Vec<Note> {
    if args.catalog.is_empty() || !operators.is_empty() {
        return Vec::new();
    }
    let text = "no file has installed operators, so the catalogs do not matter";
    vec![Note::new(text, true)]
}

/// Notes about what is mirrored, but cannot be checked.
fn missing_catalogs(
    mirror: &Mirror<'_>,
    catalogs: &FleetCatalogs,
    operators: &FleetOperators<'_>,
    stages: &[MirroredStage<'_>],
) -> Vec<String> {
    let mut missing = if operators.is_empty() { Vec::new() } else { catalogs.missing(mirror) };
    missing.extend(stages.iter().flat_map(|stage| &stage.unknown).cloned());
    missing
}

fn no_clusters(gaps: Option<&StoreGaps>) -> Failure {
    let Some(gaps) = gaps else { return Failure::new("the files have no clusters") };
    let why = gaps.missing().into_iter().chain(gaps.doubts()).next();
    Failure::new("the store has no clusters that can be counted").hint_if_any(why)
}

/// Fails if a flag has no effect.
fn refuse_ignored(args: &FleetArgs) -> Result<(), Failure> {
    if args.catalog.is_empty() || args.to.is_some() || args.mirror.is_some() {
        return Ok(());
    }
    let failure = Failure::new("`--catalog` has no effect without a goal");
    Err(failure.hint("name one with `--to`, or a mirror with `--mirror`"))
}

/// Writes a patch for each cluster that has a path to the goal: all of them, or none.
fn write_patches(folder: &Path, fleet: &Fleet<'_>) -> Result<Vec<Note>, Failure> {
    let Patches { files, by_hand } = patches(fleet)?;
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let new =
        |(name, text)| FileEdit { path: folder.join(name), old: None, new: Some(text), like: None };
    let edits: Vec<FileEdit<'_>> =
        files.iter().map(|(name, text)| new((name, text.as_str()))).collect();
    write_together(&edits)?;
    let written = counted(files.len(), "patch file");
    let mut notes = vec![Note::new(&format!("{written} written to {}", folder.display()), false)];
    if by_hand > 0 {
        let clusters = counted(by_hand, "cluster");
        let note = format!(
            "without a patch, because their operators do not let anybody accept the risks by name: \
             {clusters}; `oc adm upgrade --allow-not-recommended` requests such updates"
        );
        notes.push(Note::new(&note, true));
    }
    Ok(notes)
}

/// Prints the queries that count the clusters that risks affect.
fn queries(
    args: &FleetArgs,
    graph: &UpdateGraph,
    risks: Vec<AskedRisk>,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    for name in &args.store.risk {
        if risks.iter().any(|risk| risk.name == *name) {
            continue;
        }
        let names = RiskNames::of(graph);
        let failure = match names.id(name) {
            Some(_) => {
                Failure::new(format!("`{name}` affects every cluster, so there is no query"))
            }
            None => Failure::unknown("risk", name, names.all()),
        };
        return Err(failure.into());
    }
    let wanted =
        |risk: &AskedRisk| args.store.risk.is_empty() || args.store.risk.contains(&risk.name);
    let ids = ClusterIds { label: &args.store.id_label, only: None };
    let report = FleetQueriesReport::of(risks.into_iter().filter(wanted), &ids);
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(report.is_bad()))
}

/// The graph before a change: at the merge base or, if only flags make the change, without them.
fn base(args: &FleetArgs, arch: Arch) -> Result<Option<KnownGraph>, Failure> {
    if args.mirror.is_some() {
        return Ok(None);
    }
    if let Some(base) = &args.base {
        let (_, known) = args.source.read_base(None, base, Architectures::all_with(arch))?;
        return Ok(Some(known));
    }
    let unchanged = args.source.without_what_if();
    let read = |source: GraphSourceArgs| {
        source.read(None, Architectures::all_with(arch), Consumer::Schema1_1, true)
    };
    let known = unchanged.map(read).transpose()?;
    if known.is_none() && args.list {
        let failure = Failure::new("`--list` needs a change to compare with");
        return Err(failure.hint("name it with `--base`, `--add`, `--with`, or `--without`"));
    }
    Ok(known)
}
