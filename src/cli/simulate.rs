//! `exitpath simulate`: who is left without an exit path.

use std::io::Write;
use std::path::Path;

use crate::analysis::{Chosen, Clusters, Goal, Removal, Request, Simulated, Simulation};
use crate::assembly::Consumer;
use crate::graph::{ChannelId, Knowledge, UpdateGraph};
use crate::graph_data::{ARCHITECTURES, GraphData};
use crate::lineage::{Policy, Support, Supported};
use crate::report::{self, SimulationReport, Style};
use crate::schema;
use crate::text::printable;
use crate::text::words::listed;
use crate::tree;
use crate::version::Version;

use super::args::{Common, GoalOf, Simulate, SimulationFormat};
use super::graph::{Adopted, adopted};
use super::releases::{Assembled, Provenance, architectures, tell_notes};
use super::{Failure, Status, to_file};

/// A graph, and what is known of the releases in it.
struct Asked {
    graph: UpdateGraph,
    from: Provenance,
    supported: Supported,
    /// The channel that an answer was given for.
    channel: Option<ChannelId>,
    /// The repository; none for a graph without one.
    data: Option<GraphData>,
}

pub(super) fn run(
    args: &Simulate,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let mut asked = asked(args, common, err)?;
    asked.from.notes.extend(asked.supported.note());
    let clusters = args.weights.as_deref().map(clusters).transpose()?;
    let is_supported = |channel: &str, version: &Version| asked.supported.holds(channel, version);
    let request = Request {
        channels: channels(args, &asked)?,
        architectures: architectures(args.arch.as_deref())?,
        removal: removal(args, &asked.graph)?,
        goals: goals(args),
        largest_set: usize::from(args.sets),
        former: None,
    };
    let simulation = Simulation::of(&asked.graph, &request, &is_supported);
    if let Some(version) = &args.explain {
        explain(version, &simulation, &asked.supported, out)?;
        return Ok(Status::Clean);
    }
    judged_something(&simulation, &asked)?;
    let is_uncertain = |edge: &&crate::graph::Edge| edge.knowledge == Knowledge::Uncertain;
    let report = SimulationReport {
        simulation: &simulation,
        sources: asked.data.as_ref().map(|data| &data.sources),
        as_of: asked.from.as_of.as_deref(),
        source: &asked.from.source,
        notes: &asked.from.notes,
        uncertain: asked.graph.graph.edge_weights().filter(is_uncertain).count(),
        judged: asked.supported.in_words(),
        clusters: clusters.as_ref(),
    };
    let format = match args.format {
        SimulationFormat::Human => report::SimulationFormat::Human,
        SimulationFormat::Json => report::SimulationFormat::Json,
        SimulationFormat::Markdown => report::SimulationFormat::Markdown,
    };
    match &args.output {
        None => report.write(format, style, out)?,
        Some(path) => {
            to_file(path, style, |style, text| report.write(format, style, text))?;
        }
    }
    let fails =
        report.worst().zip(args.fail_on.severity()).is_some_and(|(worst, least)| worst >= least);
    Ok(if fails { Status::Findings } else { Status::Clean })
}

fn asked(args: &Simulate, common: &Common, err: &mut dyn Write) -> Result<Asked, Failure> {
    if let Some(path) = &args.source.graph {
        let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
        let Adopted { graph, channel, notes, .. } = adopted(path, arch)?.into_answer();
        if !common.quiet {
            tell_notes(&notes, err)?;
        }
        let source = path.display().to_string();
        let from = Provenance { source, notes, as_of: None };
        // A graph does not tell the age of its releases: all of them are judged.
        let every = Policy::everywhere(Support::Range(semver::VersionReq::STAR));
        let supported = Supported::without_past(policy(args)?.unwrap_or(every));
        return Ok(Asked { graph, from, supported, channel, data: None });
    }
    let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
    let asked = (arch, architectures(args.arch.as_deref())?);
    let assembled = args.source.assemble(args.path.as_ref(), asked, Consumer::Schema1_1)?;
    assembled.tell(common, err)?;
    let supported = assembled.supported(policy(args)?);
    let Assembled { graph, from, data, .. } = assembled;
    Ok(Asked { graph, from, supported, channel: None, data: Some(data) })
}

/// Which releases are to be judged, where the command line says.
fn policy(args: &Simulate) -> Result<Option<Policy>, Failure> {
    let support = match (&args.supported, args.supported_days) {
        (Some(range), _) => Support::range(range).map_err(|error| {
            let failure = Failure::new(format!("`{range}` is not a range of versions: {error}"));
            failure.hint("for example `>=4.16, <4.20`, or `*`")
        })?,
        (None, Some(days)) => Support::Days(days),
        (None, None) => return Ok(None),
    };
    Ok(Some(Policy::everywhere(support)))
}

/// Why a release is judged or not, and what becomes of it in each channel.
fn explain(
    version: &str,
    simulation: &Simulation<'_>,
    supported: &Supported,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let places = simulation.channels.iter().filter_map(|channel| {
        Some((channel, channel.ways.versions.iter().position(|known| known == version)?))
    });
    let places: Vec<(&Simulated, usize)> = places.collect();
    if places.is_empty() {
        let all = simulation.channels.iter().flat_map(|channel| &channel.ways.versions);
        return Err(unknown("release", version, all.map(String::as_str)));
    }
    let parsed = crate::version::parse(version);
    let why = |(channel, at): &(&Simulated, usize)| {
        let name = simulation.name(channel.channel);
        match (channel.ways.is_general[*at], channel.is_judged[*at], &parsed) {
            (false, ..) | (.., None) => "not judged: it is a pre-release".to_owned(),
            (_, is_judged, Some(version)) => {
                let judged = if is_judged { "judged" } else { "not judged" };
                format!("{judged}: {}", supported.why(name, version))
            }
        }
    };
    // What is supported may differ by channel.
    let reasons: Vec<String> = places.iter().map(why).collect();
    let is_uniform = reasons.iter().all(|reason| *reason == reasons[0]);
    let judged = places.iter().filter(|(channel, at)| channel.is_judged[*at]).count();
    let verdict = match judged {
        _ if is_uniform => reasons[0].as_str(),
        0 => "not judged, for these reasons:",
        n if n == places.len() => "judged, for these reasons:",
        _ => "judged in some channels:",
    };
    writeln!(out, "{} is {verdict}", printable(version))?;
    for ((channel, at), why) in places.into_iter().zip(&reasons) {
        let name = simulation.name(channel.channel);
        let arches = channel.architectures.join(", ");
        let head = channel.ways.is_general.iter().rposition(|is_general| *is_general);
        let goals: Vec<&str> = channel
            .stranded
            .iter()
            .filter(|one| one.release == at)
            .map(|one| one.goal.name())
            .collect();
        let what = match (head == Some(at), goals.is_empty()) {
            (true, _) => "the newest of the channel: nothing to reach".to_owned(),
            (false, true) if channel.is_judged[at] => "OK".to_owned(),
            (false, true) => "not judged".to_owned(),
            (false, false) => format!("stranded for {}", goals.join(", ")),
        };
        let name = printable(name);
        match (is_uniform, channel.is_judged[at]) {
            (true, _) => writeln!(out, "  {name} ({arches}): {what}")?,
            (false, true) => writeln!(out, "  {name} ({arches}): {why}; {what}")?,
            (false, false) => writeln!(out, "  {name} ({arches}): {why}")?,
        }
    }
    Ok(())
}

/// The channels that are asked for; without any, the one that an answer was given for, or those
/// that clusters are told to use.
fn channels(args: &Simulate, asked: &Asked) -> Result<Vec<ChannelId>, Failure> {
    let graph = &asked.graph;
    let named = |name: &String| {
        graph
            .channel(name)
            .ok_or_else(|| unknown("channel", name, graph.channels.iter().map(String::as_str)))
    };
    if !args.channel.is_empty() {
        return args.channel.iter().map(named).collect();
    }
    match asked.channel {
        Some(channel) => Ok(vec![channel]),
        None => Ok(graph.advised_channels().collect()),
    }
}

/// Refuses a simulation in which no release was judged: that is no all-clear.
fn judged_something(simulation: &Simulation<'_>, asked: &Asked) -> Result<(), Failure> {
    if simulation.channels.iter().any(|channel| channel.judged() > 0) {
        return Ok(());
    }
    if simulation.channels.iter().all(|channel| channel.ways.is_empty()) {
        let failure = Failure::new("nothing was judged: the channels have no releases");
        return Err(failure.hint("`--channel` names others"));
    }
    let mut names: Vec<&str> =
        simulation.channels.iter().map(|channel| simulation.name(channel.channel)).collect();
    names.dedup();
    let (places, judged) = (listed(&names, "and"), asked.supported.in_words());
    let what = format!("nothing was judged: {places} has no supported release ({judged})");
    let what = if names.len() > 1 { what.replacen(" has no ", " have no ", 1) } else { what };
    Err(Failure::new(what).hint("`--supported '*'` judges every release that is not a pre-release"))
}

/// How many clusters run each release.
fn clusters(path: &Path) -> Result<Clusters, Failure> {
    let name = path.display();
    let text = tree::read_text(path)
        .map_err(|why| Failure::new(format!("cannot read {name}: {why}")))?
        .ok_or_else(|| Failure::new(format!("there is no file {name}")))?;
    Clusters::read(&text).map_err(|why| Failure::new(format!("cannot use {name}: {why}")))
}

fn removal(args: &Simulate, graph: &UpdateGraph) -> Result<Removal, Failure> {
    let names = || graph.risks.iter().map(|risk| &*risk.name);
    let known = |name: &String| {
        let is_known = names().any(|known| known == name);
        if is_known { Ok(name.clone()) } else { Err(unknown("risk", name, names())) }
    };
    let all_known = |names: &[String]| names.iter().map(known).collect::<Result<Vec<_>, _>>();
    let chosen = match (args.keep.as_slice(), args.remove.as_slice()) {
        ([], []) => Chosen::All,
        ([], [one]) if one == "all" => Chosen::All,
        ([], [one]) if one == "always" => Chosen::Always,
        ([], some) => Chosen::Only(all_known(some)?),
        (kept, _) => Chosen::AllBut(all_known(kept)?),
    };
    Ok(Removal { chosen, accepted: all_known(&args.accept)? })
}

fn goals(args: &Simulate) -> Vec<Goal> {
    let goal = |goal: &GoalOf| match goal {
        GoalOf::Any => Goal::Any,
        GoalOf::Patch => Goal::Patch,
        GoalOf::Minor => Goal::Minor,
    };
    if args.goal.is_empty() { Goal::ALL.to_vec() } else { args.goal.iter().map(goal).collect() }
}

pub(super) fn unknown<'n>(what: &str, name: &str, names: impl Iterator<Item = &'n str>) -> Failure {
    let failure = Failure::new(format!("there is no {what} `{name}`"));
    match schema::closest(name, names) {
        Some(meant) => failure.hint(format!("did you mean `{meant}`?")),
        None => failure,
    }
}
