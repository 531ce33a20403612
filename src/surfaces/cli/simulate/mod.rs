//! `exitpath simulate`: finds releases that are stranded when conditional updates are removed.

mod certificate;

use std::io::Write;
use std::sync::Arc;

use crate::analysis::{
    AffectingRisks, ChosenRisks, Goal, LARGEST_SET, Simulation, SimulationRequest,
};
use crate::domain::{Architectures, Format, Minor, Named, Version, is_general};
use crate::explorer::{Exploration, Explored, ExploredState, Start};
use crate::graph::{ChannelId, Edge, Knowledge, UpdateGraph};
use crate::graph_data::Consumer;
use crate::lineage::{Lifecycle, Policy, Support};
use crate::report::{SimulationReport, Style, write_explanation};
use crate::session::{Elsewhere, KnownGraph};
use crate::text::words::listed;
use crate::text::{Failure, MAX_FILE};

use super::common_args::CommonArgs;
use super::file_text::{file_text, named};
use super::simulate_args::SimulateArgs;
use super::{Status, Stop, print};

pub(super) fn run(
    args: &SimulateArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    if args.report.format == Format::Html {
        refuse_on_page(args)?;
    }
    let architectures = Architectures::chosen(args.arch.as_ref());
    let known = args.subject.read(&args.channel, architectures, Consumer::Schema1_1, true)?;
    print::known_graph(&known, common, err)?;
    let known = with_support(known, args)?;
    let KnownGraph { graph, supported, .. } = &known;
    let mut provenance = known.provenance.clone();
    let general = graph.graph.node_weights().filter(|release| is_general(&release.version));
    let minors = general.map(|release| Minor::of(&release.version)).collect();
    provenance.notes.extend(supported.note(&minors));
    let clusters = args.fleet.counts(graph, common, err)?;
    let is_supported = |channel: &str, version: &Version| supported.holds(channel, version);
    let request = SimulationRequest {
        affecting: affecting(args, graph)?,
        goals: match (&args.certificate, args.goal.as_slice()) {
            // The certificate has a proof of its own, so nothing has to be simulated.
            (Some(_), _) => Vec::new(),
            (None, []) => Goal::ALL.to_vec(),
            (None, goals) => goals.to_vec(),
        },
        largest_set: usize::from(args.sets),
        ..SimulationRequest::of(channels(args, &known)?, architectures.all.to_vec())
    };
    let simulation = Simulation::of(graph, &request, &is_supported);
    if let Some(file) = &args.certificate {
        return certificate::run(args, file, &simulation, &known, style, out);
    }
    if let Some(version) = &args.explain {
        let versions = simulation.versions();
        if !versions.contains(version.as_str()) {
            let arch = args.arch.unwrap_or_default();
            let only = args.channel.first().filter(|_| args.channel.len() == 1);
            let failure =
                match only.and_then(|name| Elsewhere::of(&known, version, Some(name), arch)) {
                    Some(elsewhere) => elsewhere.failure(versions.into_iter()),
                    None => Failure::unknown_release(version, versions.into_iter()),
                };
            return Err(failure.into());
        }
        write_explanation(version, &simulation, supported, out)?;
        return Ok(Status::Clean);
    }
    refuse_if_nothing_checked(&simulation, &supported.in_words(&minors))?;
    let is_uncertain = |edge: &&Edge| edge.knowledge == Knowledge::Uncertain;
    let report = SimulationReport {
        simulation: &simulation,
        sources: known.data.as_ref().map(|data| &*data.sources),
        provenance: &provenance,
        uncertain: graph.graph.edge_weights().filter(is_uncertain).count(),
        checked: supported.in_words(&minors),
        not_loaded: &known.not_loaded,
        clusters: clusters.as_ref(),
    };
    let worst = report.worst();
    let label = args.subject.in_words();
    let start = Start { affecting: simulation.affecting.clone(), panel: None };
    let exploration = Exploration {
        title: "Simulated updates".to_owned(),
        states: vec![ExploredState::of(&known, &label)],
        channels: args.channel.clone(),
        start,
        is_live: false,
    };
    args.report.print(&Explored { report, exploration }, style, out)?;
    Ok(Status::failed_if(worst.is_some_and(|worst| args.fail_on.is_reached(worst))))
}

/// Refuses flags that have no effect on a page: a page shows all goals, and its script looks for
/// sets of risks itself.
fn refuse_on_page(args: &SimulateArgs) -> Result<(), Failure> {
    let flags = [
        (!args.goal.is_empty(), "--goal"),
        (usize::from(args.sets) != LARGEST_SET / 2, "--sets"),
        (args.fleet.is_given(), "--fleet"),
        (args.explain.is_some(), "--explain"),
        (args.certificate.is_some(), "--certificate"),
    ];
    match flags.iter().find(|(is_given, _)| *is_given) {
        Some((_, flag)) => Err(Failure::new(format!("`{flag}` has no effect on a page"))),
        None => Ok(()),
    }
}

/// Sets which releases are supported, where the command line says so.
fn with_support(known: KnownGraph, args: &SimulateArgs) -> Result<KnownGraph, Failure> {
    let is_graph = known.data.is_none();
    let support = match (&args.supported, args.supported_days, &args.lifecycle) {
        (Some(range), ..) => Some(Support::range(range).map_err(|error| {
            let failure = Failure::new(format!("`{range}` is not a range of versions: {error}"));
            failure.hint("for example `>=4.16, <4.20`, or `*`")
        })?),
        (None, Some(days), _) => Some(Support::Days(days)),
        (None, None, Some(file)) => {
            let table = Lifecycle::read(&file_text(file, MAX_FILE)?, &named(file))?;
            Some(Support::Lifecycle(Arc::new(table)))
        }
        // A graph file has no day, so all of its releases are supported by default. If the command
        // line names a day, the usual rules apply.
        (None, None, None) => args.supported_on.filter(|_| is_graph).map(|_| Support::default()),
    };
    let known = known.with_policy(support.map(Policy::everywhere));
    let supported = match args.supported_on {
        Some(day) => known.supported.on(day),
        None if args.lifecycle.is_some() && !known.supported.is_dated() => {
            let failure = Failure::new("`--lifecycle` needs a day, and no git history gives one");
            return Err(failure.hint("name the day with `--supported-on 2026-08-21`"));
        }
        None => known.supported,
    };
    Ok(KnownGraph { supported, ..known })
}

/// The channels that the command line names. Without any: the channel of a graph file, or all
/// stable, fast, and eus channels.
fn channels(args: &SimulateArgs, known: &KnownGraph) -> Result<Vec<ChannelId>, Failure> {
    let graph = &known.graph;
    let named = |name: &String| {
        let names = graph.channels.iter().map(String::as_str);
        let unknown = || {
            let arch = args.arch.unwrap_or_default();
            let explained = args.explain.as_ref();
            match explained.and_then(|version| Elsewhere::of(known, version, Some(name), arch)) {
                Some(elsewhere) => elsewhere.failure(std::iter::empty()),
                None => Failure::unknown_channel(name, names),
            }
        };
        graph.channel(name).ok_or_else(unknown)
    };
    if !args.channel.is_empty() {
        return args.channel.iter().map(named).collect();
    }
    match known.channel {
        Some(channel) => Ok(vec![channel]),
        None => Ok(graph.advised_channels().collect()),
    }
}

/// Fails if no release was checked: that would look like a pass.
fn refuse_if_nothing_checked(simulation: &Simulation<'_>, supported: &str) -> Result<(), Failure> {
    if simulation.channels.iter().any(|channel| channel.checked() > 0) {
        return Ok(());
    }
    if simulation.channels.iter().all(|channel| channel.graph.members.is_empty()) {
        let failure = Failure::new("nothing was checked: the channels have no releases");
        return Err(failure.hint("name other channels with `--channel`"));
    }
    let mut names: Vec<&str> =
        simulation.channels.iter().map(|channel| simulation.name(channel.channel)).collect();
    names.dedup();
    let places = listed(&names, "and");
    let have = if names.len() > 1 { "have" } else { "has" };
    let what = format!(
        "nothing was checked: {places} {have} no supported release (supported: {supported})"
    );
    Err(Failure::new(what).hint("`--supported '*'` checks every release, pre-releases included"))
}

fn affecting(args: &SimulateArgs, graph: &UpdateGraph) -> Result<AffectingRisks, Failure> {
    let names = || graph.risks.iter().map(|risk| &*risk.name);
    let known = |name: &String| {
        let is_known = names().any(|known| known == name);
        if is_known { Ok(name.clone()) } else { Err(Failure::unknown("risk", name, names())) }
    };
    let all_known = |names: &[String]| names.iter().map(known).collect::<Result<Vec<_>, _>>();
    let chosen = match (args.keep.as_slice(), args.remove.as_slice()) {
        ([], []) => ChosenRisks::All,
        ([], [one]) if one == "all" => ChosenRisks::All,
        ([], [one]) if one == "always" => ChosenRisks::Always,
        ([], some) => ChosenRisks::Only(all_known(some)?),
        (kept, _) => ChosenRisks::AllBut(all_known(kept)?),
    };
    Ok(AffectingRisks { chosen, accepted: all_known(&args.accept)? })
}
