//! What the update service answers to the cluster, from the repository or from a file.

use std::io::Write;
use std::path::Path;

use crate::assembly::Consumer;
use crate::cluster::Answer;
use crate::domain::{Arch, Named};
use crate::graph::cincinnati::{Readers, write_served};
use crate::graph::{Served, UpdateGraph};
use crate::session::{Failure, Note};
use crate::text::printable;
use crate::text::words::list_all;

use super::super::args::CommonArgs;
use super::super::cluster_args::ClusterArgs;
use super::super::{Stop, print};

/// The largest file that is read as an answer.
const MOST: u64 = 256 << 20;

/// What the update service answers to the cluster.
pub(super) struct Offered {
    pub(super) channel: String,
    pub(super) answer: Answer,
}

impl Offered {
    pub(super) fn read(
        args: &ClusterArgs,
        version: &str,
        channel: Option<&str>,
        arch: Arch,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let mut offered = match &args.source.graph {
            Some(file) => Self::of_file(file, channel)?,
            None => Self::of_repository(args, version, channel, arch, common, err)?,
        };
        if offered.answer.name_images(arch.name()) {
            let text = "the images of some releases are not known: those shown are the usual names"
                .to_owned();
            print::notes(&[Note { text, is_important: false }], common, err)?;
        }
        Ok(offered)
    }

    fn of_file(file: &Path, channel: Option<&str>) -> Result<Self, Failure> {
        let name = file.display();
        let size = std::fs::metadata(file).map_or(0, |data| data.len());
        if size > MOST {
            return Err(Failure::new(format!("{name} is too large for an answer")));
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("cannot read {name}: {error}")))?;
        let answer = Answer::parse(&text).map_err(|words| {
            Failure::new(format!("clusters cannot read {name} as an answer: {words}"))
        })?;
        let stem = || file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let channel = channel.unwrap_or_else(stem).to_owned();
        Ok(Self { channel, answer })
    }

    fn of_repository(
        args: &ClusterArgs,
        version: &str,
        channel: Option<&str>,
        arch: Arch,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let Some(channel) = channel else {
            let failure = Failure::new("the cluster has no channel");
            return Err(failure.hint("name it: `--channel stable-4.18`").into());
        };
        let known = args.source.read(None, (arch, &[arch]), Consumer::Schema1_1, false)?;
        print::known_graph(&known, common, err)?;
        let graph = &known.graph;
        let Some(id) = graph.channel(channel) else {
            let names = graph.channels.iter().map(String::as_str);
            return Err(Failure::unknown_channel(channel, names).into());
        };
        let served = Served::of(graph, id, arch);
        if !served.members.iter().any(|node| served.version(*node) == version) {
            let text = elsewhere(graph, version, channel, arch);
            let text = printable(&text).into_owned();
            print::notes(&[Note { text, is_important: true }], common, err)?;
        }
        let mut json = Vec::new();
        write_served(&served, Readers { know_conditions: true }, &mut json)?;
        let text = String::from_utf8_lossy(&json);
        let answer = Answer::parse(&text).map_err(Failure::new)?;
        std::mem::forget(known);
        Ok(Self { channel: channel.to_owned(), answer })
    }
}

/// Where a version is, if not in this channel.
fn elsewhere(graph: &UpdateGraph, version: &str, channel: &str, arch: Arch) -> String {
    let others = graph.channels.ids().filter(|id| {
        let served = Served::of(graph, *id, arch);
        served.members.iter().any(|node| served.version(*node) == version)
    });
    let mut names: Vec<&str> = others.map(|id| graph.channels[id].as_str()).collect();
    let rank = |name: &str| ["stable", "eus", "fast"].iter().position(|one| name.starts_with(one));
    names.sort_by_key(|name| rank(name).unwrap_or(usize::MAX));
    if names.is_empty() {
        return format!("{version} is not in {channel}, and in no other channel for {arch}");
    }
    let names = list_all(&names, "and");
    format!("{version} is not in {channel}, but we have found it in {names}")
}
