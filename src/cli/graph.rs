//! `exitpath graph`: the update graph itself.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use petgraph::graph::NodeIndex;

use crate::analysis::{Goal, Removal, Request, Simulation};
use crate::assembly::Consumer;
use crate::draw::{self, Format, Picture};
use crate::graph::cincinnati::{Readers, write_served, write_whole};
use crate::graph::{ChannelId, Served, UpdateGraph, notation};
use crate::graph_data::ARCHITECTURES;
use crate::lineage::{Supported, read_answer};
use crate::schema;
use crate::version::Version;

use super::args::{Common, ConsumerOf, Graph, GraphFormat, Only};
use super::releases::{architectures, tell_notes};
use super::{Failure, Status};

pub(super) fn run(
    args: &Graph,
    common: &Common,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
    let (graph, supported, channel) = if let Some(path) = &args.source.graph {
        let is_drawn = !matches!(args.format, GraphFormat::Json | GraphFormat::Edges);
        let adopted = adopted(path, arch)?;
        let adopted = if is_drawn { adopted.into_answer() } else { adopted };
        let Adopted { graph, channel, notes, .. } = adopted;
        if !common.quiet {
            tell_notes(&notes, err)?;
        }
        (graph, None, channel)
    } else {
        // An answer is for one architecture; the whole graph is for all.
        let asked = args.arch.as_deref().or(args.channel.as_ref().map(|_| arch));
        let consumer = match args.consumer {
            ConsumerOf::Schema1_0 => Consumer::Schema1_0,
            ConsumerOf::Schema1_1 => Consumer::Schema1_1,
        };
        let asked = (arch, architectures(asked)?);
        let assembled = args.source.assemble(args.path.as_ref(), asked, consumer)?;
        assembled.tell(common, err)?;
        // Only the stranded are asked whether they are supported.
        let supported = match args.only {
            Some(Only::Stranded) => Some(assembled.supported(None)),
            Some(Only::Conditional) | None => None,
        };
        (assembled.graph, supported, None)
    };
    let served = match &args.channel {
        Some(name) => Some(served(&graph, name, arch)?),
        None => channel.map(|channel| Served::of(&graph, channel, arch)),
    };
    let print = printed(args, &graph, served, supported.as_ref())?;
    match &args.output {
        None => write(args, &graph, &print, out)?,
        Some(path) => {
            let failed =
                |e: io::Error| Failure::new(format!("cannot write {}: {e}", path.display()));
            let mut file = BufWriter::new(File::create(path).map_err(failed)?);
            write(args, &graph, &print, &mut file).and_then(|()| file.flush()).map_err(failed)?;
        }
    }
    // The process is about to end: taking the model apart piece by piece would only delay that.
    std::mem::forget(graph);
    Ok(Status::Clean)
}

/// The graph of a file.
pub(super) struct Adopted {
    pub(super) graph: UpdateGraph,
    /// The channel that it was answered for; none of a graph of many.
    pub(super) channel: Option<ChannelId>,
    /// The file's name without its ending: the channel's, where it names one.
    stem: String,
    /// What clusters read on over, and people should know.
    pub(super) notes: Vec<String>,
}

/// The graph of a file, as clusters read it.
pub(super) fn adopted(path: &Path, arch: &str) -> Result<Adopted, Failure> {
    if path.is_dir() {
        let what = format!("{} is a folder, not a graph", path.display());
        return Err(Failure::new(what).hint("`--releases` takes a folder of release metadata"));
    }
    let (file, notes) = read_answer(path)?;
    let graph = UpdateGraph::adopt(&file, arch);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let channel = graph.answered_for(&stem);
    Ok(Adopted { graph, channel, stem, notes })
}

impl Adopted {
    /// The same as an answer to clusters: where no release names a channel, all of them are in one.
    pub(super) fn into_answer(mut self) -> Self {
        self.channel = self.graph.take_as_answer(&self.stem);
        self
    }
}

/// The part of a graph that a channel serves.
fn served<'g>(graph: &'g UpdateGraph, name: &str, arch: &'g str) -> Result<Served<'g>, Failure> {
    let Some(channel) = graph.channel(name) else {
        let failure = Failure::new(format!("there is no channel `{name}`"));
        let names = graph.channels.iter().map(String::as_str);
        return Err(match schema::closest(name, names) {
            Some(meant) => failure.hint(format!("did you mean `{meant}`?")),
            None => failure.hint("`channels/` holds one file for each"),
        });
    };
    Ok(Served::of(graph, channel, arch))
}

/// What is printed: the graph in words, or a picture of a part of it.
enum Print<'g> {
    Json(Option<Served<'g>>),
    Edges(Option<Served<'g>>),
    Picture(Box<Picture>, Format),
}

fn printed<'g>(
    args: &Graph,
    graph: &UpdateGraph,
    served: Option<Served<'g>>,
    supported: Option<&Supported>,
) -> Result<Print<'g>, Failure> {
    let format = match args.format {
        GraphFormat::Json | GraphFormat::Edges => {
            if args.around.is_some() || args.only.is_some() || args.blocked {
                let what = "`--around`, `--only` and `--blocked` are for drawings";
                return Err(Failure::new(what).hint("add `--format dot`, `mermaid` or `svg`"));
            }
            let is_json = args.format == GraphFormat::Json;
            return Ok(if is_json { Print::Json(served) } else { Print::Edges(served) });
        }
        GraphFormat::Dot => Format::Dot,
        GraphFormat::Mermaid => Format::Mermaid,
        GraphFormat::Svg => Format::Svg,
    };
    let Some(served) = served else {
        let newest = graph.channels.iter().rev().find(|name| name.starts_with("stable-"));
        let example = newest.map_or("stable-4.18", String::as_str);
        let what = "a drawing shows one channel";
        return Err(Failure::new(what).hint(format!("name it: `--channel {example}`")));
    };
    let around = args.around.as_deref().map(|version| member(&served, version)).transpose()?;
    let only = match args.only {
        Some(Only::Conditional) => draw::Only::Conditional,
        Some(Only::Stranded) => draw::Only::Touching(stranded(&served, supported)),
        None => draw::Only::All,
    };
    let request = draw::Request { around, only, blocked: args.blocked };
    Ok(Print::Picture(Box::new(Picture::of(&served, &request)), format))
}

/// The supported releases of a channel that are stranded once conditional updates are removed.
fn stranded(served: &Served<'_>, supported: Option<&Supported>) -> BTreeSet<NodeIndex> {
    let request = Request {
        channels: vec![served.channel],
        architectures: vec![served.arch],
        removal: Removal::default(),
        goals: Goal::ALL.to_vec(),
        largest_set: 1,
        former: None,
    };
    let is_supported = |channel: &str, version: &Version| {
        supported.is_none_or(|supported| supported.holds(channel, version))
    };
    let simulation = Simulation::of(served.whole, &request, &is_supported);
    let found = simulation.channels.iter().flat_map(|channel| &channel.stranded);
    found.map(|one| served.members[one.release]).collect()
}

/// The member of a channel that a version names.
fn member(served: &Served<'_>, version: &str) -> Result<NodeIndex, Failure> {
    let names = || served.members.iter().map(|node| (served.version(*node), *node));
    if let Some((_, node)) = names().find(|(name, _)| name == version) {
        return Ok(node);
    }
    let channel = &served.whole.channels[served.channel.0 as usize];
    let failure =
        Failure::new(format!("`{channel}` has no release `{version}` for {}", served.arch));
    let names: Vec<_> = names().map(|(name, _)| name).collect();
    Err(match schema::closest(version, names.iter().map(AsRef::as_ref)) {
        Some(meant) => failure.hint(format!("did you mean `{meant}`?")),
        None => failure,
    })
}

fn write(
    args: &Graph,
    graph: &UpdateGraph,
    print: &Print<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let readers = Readers { know_conditions: args.consumer == ConsumerOf::Schema1_1 };
    match print {
        Print::Json(Some(served)) => write_served(served, readers, out),
        Print::Json(None) => write_whole(graph, readers, out),
        Print::Edges(served) => notation::write(graph, served.as_ref(), out),
        Print::Picture(picture, format) => picture.write(*format, out),
    }
}
