//! `exitpath graph`: the update graph itself.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use crate::assembly::{Consumer, assemble};
use crate::graph::cincinnati::{Readers, write_served, write_whole};
use crate::graph::{Served, UpdateGraph, notation};
use crate::graph_data::{self, ARCHITECTURES, GraphData};
use crate::schema;

use super::args::{Common, ConsumerOf, Graph, GraphFormat};
use super::releases::{architectures, tell};
use super::repository::Repository;
use super::{Failure, Status};

pub(super) fn run(
    args: &Graph,
    common: &Common,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let paths: Vec<_> = args.path.iter().cloned().collect();
    let repository = Repository::find(args.repo.as_deref(), &paths, args.rev.is_some())?;
    let data = GraphData::from_blobs(graph_data::blobs(&repository.root, args.rev.as_deref())?);
    let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
    // An answer is for one architecture; the whole graph is for all.
    let asked = args.arch.as_deref().or(args.channel.as_ref().map(|_| arch));
    let asked = architectures(asked)?;
    let place = (repository.root.as_path(), args.rev.as_deref());
    let lineage = args.releases.read(&data, place, arch, &asked)?;
    tell(&lineage, common, err)?;
    let consumer = match args.consumer {
        ConsumerOf::Schema1_0 => Consumer::Schema1_0,
        ConsumerOf::Schema1_1 => Consumer::Schema1_1,
    };
    let graph = assemble(&data, &lineage, consumer);
    let served = match &args.channel {
        Some(name) => Some(served(&graph, name, arch)?),
        None => None,
    };
    match &args.output {
        None => write(args, &graph, served.as_ref(), out)?,
        Some(path) => {
            let failed =
                |e: io::Error| Failure::new(format!("cannot write {}: {e}", path.display()));
            let mut file = BufWriter::new(File::create(path).map_err(failed)?);
            write(args, &graph, served.as_ref(), &mut file)
                .and_then(|()| file.flush())
                .map_err(failed)?;
        }
    }
    // The process is about to end: taking the model apart piece by piece would only delay that.
    std::mem::forget((data, lineage, graph));
    Ok(Status::Clean)
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

fn write(
    args: &Graph,
    graph: &UpdateGraph,
    served: Option<&Served<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let readers = Readers { know_conditions: args.consumer == ConsumerOf::Schema1_1 };
    match (args.format, served) {
        (GraphFormat::Json, Some(served)) => write_served(served, readers, out),
        (GraphFormat::Json, None) => write_whole(graph, readers, out),
        (GraphFormat::Edges, served) => notation::write(graph, served, out),
    }
}
