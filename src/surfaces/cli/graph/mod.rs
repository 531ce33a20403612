//! `exitpath graph`: prints or draws the update graph.

mod explore;

use std::collections::BTreeSet;
use std::io::{self, Write};

use petgraph::graph::NodeIndex;

use crate::analysis::{Simulation, SimulationRequest};
use crate::domain::{Arch, Architectures, Format, Version};
use crate::draw::{Picture, PictureRequest, UpdateFilter};
use crate::graph::cincinnati::{Readers, write_served, write_whole};
use crate::graph::{Served, UpdateGraph, notation};
use crate::graph_data::Consumer;
use crate::lineage::Supported;
use crate::report::{Style, write_channel, write_channels};
use crate::session::KnownGraph;
use crate::text::Failure;
use crate::text::words::{listed, quoted};

use crate::cli::common_args::CommonArgs;
use crate::cli::graph_args::{GraphArgs, OnlyUpdates};
use crate::cli::{Status, Stop, output, print};

pub(super) fn run(
    args: &GraphArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let arch = args.arch.unwrap_or_default();
    // A channel is served for one architecture. The whole graph has all.
    let one = args.arch.or(args.channel.first().map(|_| arch));
    let is_for_people = style.terminal && args.output.output.is_none();
    let default = if is_for_people { Format::Human } else { Format::Json };
    let format = args.format.unwrap_or(default);
    let is_drawn =
        matches!(format, Format::Human | Format::Html) || Picture::writer(format).is_some();
    let architectures = Architectures::chosen(one.as_ref());
    if args.since.is_some() && format != Format::Html {
        let what = "`--since` is for pages";
        return Err(Failure::new(what).hint("add `--format html`").into());
    }
    let known = args.subject.read(&args.channel, architectures, args.consumer, is_drawn)?;
    print::known_graph(&known, common, err)?;
    if format == Format::Html {
        refuse_for_drawings_only(args, false)?;
        explore::run(args, architectures, known, out)?;
        return Ok(Status::Clean);
    }
    let KnownGraph { graph, channel, .. } = &known;
    let named = args.channel.iter().map(|name| served(graph, name, arch));
    let mut served: Vec<Served<'_>> = named.collect::<Result<_, _>>()?;
    if let Some(root) = &args.root_version {
        served = below(&served, root, &args.channel)?;
    }
    if served.is_empty() {
        served.extend(channel.map(|channel| Served::of(graph, channel, arch)));
    }
    let printed = printed(args, format, graph, served, &known.supported)?;
    let readers = Readers { know_conditions: args.consumer == Consumer::Schema1_1 };
    output::large(args.output.output.as_deref(), out, |out| match &printed {
        Printed::Tables(served) => write_tables(served, style, out),
        Printed::Channels => write_channels(graph, arch, style, out),
        Printed::Json(Some(served)) => write_served(served, readers, out),
        Printed::Json(None) => write_whole(graph, readers, out),
        Printed::Edges(served) => write_edges(graph, served, out),
        Printed::Picture(picture, drawn) => out.write_all(drawn(picture).as_bytes()),
    })?;
    // Skips freeing the graph, because the process ends now.
    std::mem::forget(known);
    Ok(Status::Clean)
}

fn served<'g>(graph: &'g UpdateGraph, name: &str, arch: Arch) -> Result<Served<'g>, Failure> {
    let Some(channel) = graph.channel(name) else {
        let names = graph.channels.iter().map(String::as_str);
        let failure = Failure::unknown_channel(name, names);
        return Err(failure.or_hint("`channels/` contains one file for each channel"));
    };
    Ok(Served::of(graph, channel, arch))
}

/// The parts of channels that can be reached from a release. Omits channels without it.
fn below<'g>(
    served: &[Served<'g>],
    root: &str,
    channels: &[String],
) -> Result<Vec<Served<'g>>, Failure> {
    let part = |one: &Served<'g>| {
        let node = one.members.iter().find(|node| one.version(**node) == root)?;
        one.below(*node)
    };
    let parts: Vec<Served<'_>> = served.iter().filter_map(part).collect();
    if parts.is_empty() {
        let versions: Vec<_> = served
            .iter()
            .flat_map(|one| one.members.iter().map(|node| one.version(*node)))
            .collect();
        let what = format!("{} has no release `{root}`", listed(&quoted(channels), "or"));
        let known = versions.iter().map(AsRef::as_ref);
        return Err(Failure::new(what).did_you_mean_release(root, known));
    }
    Ok(parts)
}

fn write_tables(served: &[Served<'_>], style: Style, out: &mut dyn Write) -> io::Result<()> {
    for (at, one) in served.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_channel(one, style, out)?;
    }
    Ok(())
}

/// Writes each update once, whichever channels have it.
fn write_edges(graph: &UpdateGraph, served: &[Served<'_>], out: &mut dyn Write) -> io::Result<()> {
    let [first, others @ ..] = served else { return notation::write(graph, None, out) };
    if others.is_empty() {
        return notation::write(graph, Some(first), out);
    }
    let mut written = BTreeSet::new();
    for one in served {
        let mut lines = Vec::new();
        notation::write(graph, Some(one), &mut lines)?;
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            if written.insert(line.to_vec()) {
                out.write_all(line)?;
            }
        }
    }
    Ok(())
}

enum Printed<'g> {
    /// The releases of channels.
    Tables(Vec<Served<'g>>),
    /// All channels.
    Channels,
    Json(Option<Served<'g>>),
    Edges(Vec<Served<'g>>),
    /// A channel, and what draws it.
    Picture(Box<Picture>, fn(&Picture) -> String),
}

fn printed<'g>(
    args: &GraphArgs,
    format: Format,
    graph: &UpdateGraph,
    mut served: Vec<Served<'g>>,
    supported: &Supported,
) -> Result<Printed<'g>, Failure> {
    let drawn = Picture::writer(format);
    refuse_for_drawings_only(args, drawn.is_some())?;
    match format {
        Format::Edges => return Ok(Printed::Edges(served)),
        Format::Json | Format::Dot | Format::Mermaid | Format::Svg if served.len() > 1 => {
            let what = "an answer of the service and a drawing are of one channel";
            return Err(Failure::new(what).hint("for several, add `--format edges` or `human`"));
        }
        Format::Json => return Ok(Printed::Json(served.pop())),
        _ => {}
    }
    let Some(drawn) = drawn else {
        return Ok(if served.is_empty() { Printed::Channels } else { Printed::Tables(served) });
    };
    let Some(served) = served.pop() else {
        let newest = graph.channels.iter().rev().find(|name| name.starts_with("stable-"));
        let example = newest.map_or("stable-4.18", String::as_str);
        let what = "a drawing shows one channel";
        return Err(Failure::new(what).hint(format!("name the channel: `--channel {example}`")));
    };
    let around = args.around.as_deref().map(|version| member(&served, version)).transpose()?;
    let only = match args.only {
        Some(OnlyUpdates::Conditional) => UpdateFilter::Conditional,
        Some(OnlyUpdates::Stranded) => UpdateFilter::FromStranded(stranded(&served, supported)),
        None => UpdateFilter::All,
    };
    let request = PictureRequest { around, only, blocked: args.blocked };
    Ok(Printed::Picture(Box::new(Picture::of(&served, &request)), drawn))
}

fn refuse_for_drawings_only(args: &GraphArgs, is_drawn: bool) -> Result<(), Failure> {
    let is_for_drawings = args.around.is_some() || args.only.is_some() || args.blocked;
    if is_for_drawings && !is_drawn {
        let what = "`--around`, `--only`, and `--blocked` are for drawings";
        return Err(Failure::new(what).hint("add `--format dot`, `mermaid`, or `svg`"));
    }
    Ok(())
}

/// The supported releases of a channel that are stranded once conditional updates are removed.
fn stranded(served: &Served<'_>, supported: &Supported) -> BTreeSet<NodeIndex> {
    let request = SimulationRequest {
        largest_set: 1,
        ..SimulationRequest::of(vec![served.channel], vec![served.arch])
    };
    let is_supported = |channel: &str, version: &Version| supported.holds(channel, version);
    let simulation = Simulation::of(served.whole, &request, &is_supported);
    let found = simulation.channels.iter().flat_map(|channel| &channel.stranded);
    found.map(|one| served.members[one.release.index()]).collect()
}

fn member(served: &Served<'_>, version: &str) -> Result<NodeIndex, Failure> {
    let names = || served.members.iter().map(|node| (served.version(*node), *node));
    if let Some((_, node)) = names().find(|(name, _)| name == version) {
        return Ok(node);
    }
    let channel = &served.whole.channels[served.channel];
    let what = format!("`{channel}` has no release `{version}` for {}", served.arch);
    let names: Vec<_> = names().map(|(name, _)| name).collect();
    Err(Failure::new(what).did_you_mean_release(version, names.iter().map(AsRef::as_ref)))
}
