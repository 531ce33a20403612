//! `exitpath simulate`: who is left without an exit path.

use std::fs;
use std::io::Write;

use crate::analysis::{Goal, Removal, Request, Simulated, Simulation};
use crate::assembly::Consumer;
use crate::graph::{ChannelId, Knowledge, UpdateGraph};
use crate::graph_data::{ARCHITECTURES, Minor};
use crate::lineage::Supported;
use crate::report::{self, SimulationReport, Style};
use crate::rules::Severity;
use crate::schema;
use crate::text::printable;
use crate::version::Version;

use super::args::{Common, FailOn, GoalOf, Simulate, SimulationFormat};
use super::graph::{adopted, only_channel};
use super::releases::{Assembled, architectures};
use super::repository::Repository;
use super::{Failure, Status};

/// A graph, and what is known of the releases in it.
struct Asked {
    graph: UpdateGraph,
    source: String,
    notes: Vec<String>,
    supported: Option<Supported>,
}

pub(super) fn run(
    args: &Simulate,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let mut asked = asked(args, common, err)?;
    let range = args.supported.as_deref().map(range).transpose()?;
    let judged = match (&range, &asked.supported) {
        (Some(_), _) if args.supported.as_deref() == Some("*") => "every release".to_owned(),
        (Some(_), _) => format!("releases in {}", args.supported.as_deref().unwrap_or_default()),
        (None, Some(_)) => {
            format!("releases of minors with a release in the last {} days", args.supported_days)
        }
        (None, None) => {
            asked.notes.push("without a history, every release counts as supported".to_owned());
            "every release".to_owned()
        }
    };
    let is_supported = |version: &Version| match (&range, &asked.supported) {
        (Some(range), _) => {
            range.matches(&Version { build: semver::BuildMetadata::EMPTY, ..version.clone() })
        }
        (None, Some(supported)) => supported.holds(Minor::of(version)),
        (None, None) => true,
    };
    let request = Request {
        channels: channels(args, &asked.graph)?,
        architectures: architectures(args.arch.as_deref())?,
        removal: removal(args, &asked.graph)?,
        goals: goals(args),
        largest_set: usize::from(args.sets),
    };
    let simulation = Simulation::of(&asked.graph, &request, &is_supported);
    if let Some(version) = &args.explain {
        explain(version, &simulation, asked.supported.as_ref(), range.as_ref(), out)?;
        return Ok(Status::Clean);
    }
    let is_uncertain = |edge: &&crate::graph::Edge| edge.knowledge == Knowledge::Uncertain;
    let report = SimulationReport {
        simulation: &simulation,
        removal: &request.removal,
        source: &asked.source,
        notes: &asked.notes,
        uncertain: asked.graph.graph.edge_weights().filter(is_uncertain).count(),
        judged,
    };
    let format = match args.format {
        SimulationFormat::Human => report::SimulationFormat::Human,
        SimulationFormat::Json => report::SimulationFormat::Json,
        SimulationFormat::Markdown => report::SimulationFormat::Markdown,
    };
    match &args.output {
        None => report.write(format, style, out)?,
        Some(path) => {
            let mut text = Vec::new();
            report.write(format, Style { color: false, ..style }, &mut text)?;
            fs::write(path, text)
                .map_err(|e| Failure::new(format!("cannot write {}: {e}", path.display())))?;
        }
    }
    let least = match args.fail_on {
        FailOn::Error => Some(Severity::Error),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Info => Some(Severity::Info),
        FailOn::Never => None,
    };
    let fails = report.worst().zip(least).is_some_and(|(worst, least)| worst >= least);
    Ok(if fails { Status::Findings } else { Status::Clean })
}

fn asked(args: &Simulate, common: &Common, err: &mut dyn Write) -> Result<Asked, Failure> {
    if let Some(path) = &args.graph {
        let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
        let graph = adopted(path, arch)?;
        let source = path.display().to_string();
        return Ok(Asked { graph, source, notes: Vec::new(), supported: None });
    }
    let paths: Vec<_> = args.path.iter().cloned().collect();
    let repository = Repository::find(args.repo.as_deref(), &paths, args.rev.is_some())?;
    let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
    let asked = architectures(args.arch.as_deref())?;
    let assembled = args.releases.assemble(
        &repository.root,
        args.rev.as_deref(),
        (arch, &asked),
        Consumer::Schema1_1,
        &args.what_if,
    )?;
    assembled.tell(common, err)?;
    let supported = assembled.supported(args.supported_days);
    let Assembled { graph, source, notes, data, .. } = assembled;
    // Taking the model apart piece by piece would only delay the end.
    std::mem::forget(data);
    Ok(Asked { graph, source, notes, supported })
}

/// Why a release is judged or not, and what becomes of it in each channel.
fn explain(
    version: &str,
    simulation: &Simulation<'_>,
    supported: Option<&Supported>,
    range: Option<&semver::VersionReq>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let places = simulation.channels.iter().filter_map(|channel| {
        Some((channel, channel.ways.versions.iter().position(|known| known == version)?))
    });
    let places: Vec<(&Simulated, usize)> = places.collect();
    let Some((first, at)) = places.first() else {
        let all = simulation.channels.iter().flat_map(|channel| &channel.ways.versions);
        return Err(unknown("release", version, all.map(String::as_str)));
    };
    let (major, minor) = first.ways.minors[*at];
    let ago = supported.and_then(|supported| supported.days_ago(Minor { major, minor }));
    let why = match (first.ways.is_general[*at], first.is_judged[*at], range, ago) {
        (false, ..) => "not judged: it is a pre-release".to_owned(),
        (_, true, Some(range), _) => format!("judged: it is in {range}"),
        (_, false, Some(range), _) => format!("not judged: it is not in {range}"),
        (_, is_judged, None, Some(ago)) => {
            let judged = if is_judged { "judged" } else { "not judged" };
            let days = report::counted(usize::try_from(ago).unwrap_or_default(), "day");
            format!("{judged}: the newest release of {major}.{minor} is {days} old")
        }
        (_, _, None, None) => "judged: without a history, every release is".to_owned(),
    };
    writeln!(out, "{version} is {why}")?;
    for (channel, at) in places {
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
            (false, true) if channel.is_judged[at] => "has every way that it needs".to_owned(),
            (false, true) => "not judged".to_owned(),
            (false, false) => format!("stranded for {}", goals.join(", ")),
        };
        writeln!(out, "  {} ({arches}): {what}", printable(name))?;
    }
    Ok(())
}

fn range(text: &str) -> Result<semver::VersionReq, Failure> {
    semver::VersionReq::parse(text).map_err(|error| {
        let failure = Failure::new(format!("`{text}` is not a range of versions: {error}"));
        failure.hint("for example `>=4.16, <4.20`, or `*`")
    })
}

/// The channels that are asked for; without any, those that clusters are told to use.
fn channels(args: &Simulate, graph: &UpdateGraph) -> Result<Vec<ChannelId>, Failure> {
    let named = |name: &String| {
        graph
            .channel(name)
            .ok_or_else(|| unknown("channel", name, graph.channels.iter().map(String::as_str)))
    };
    if !args.channel.is_empty() {
        return args.channel.iter().map(named).collect();
    }
    if args.graph.is_some() {
        return Ok(only_channel(graph).into_iter().collect());
    }
    Ok(graph.advised_channels().collect())
}

fn removal(args: &Simulate, graph: &UpdateGraph) -> Result<Removal, Failure> {
    let names = || graph.risks.iter().map(|risk| &*risk.name);
    let known = |name: &String| {
        let is_known = names().any(|known| known == name);
        if is_known { Ok(name.clone()) } else { Err(unknown("risk", name, names())) }
    };
    if !args.keep.is_empty() {
        return Ok(Removal::AllBut(args.keep.iter().map(known).collect::<Result<_, _>>()?));
    }
    match args.remove.as_slice() {
        [] => Ok(Removal::All),
        [one] if one == "all" => Ok(Removal::All),
        [one] if one == "always" => Ok(Removal::Always),
        some => Ok(Removal::Only(some.iter().map(known).collect::<Result<_, _>>()?)),
    }
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
