//! What the update service answers to the cluster, from the repository or from a file.

use std::io::Write;
use std::path::Path;

use crate::assembly::Consumer;
use crate::cluster::Answer;
use crate::domain::{Arch, Named};
use crate::graph::Served;
use crate::graph::cincinnati::{Readers, write_served};
use crate::session::{Elsewhere, Failure, Note};

use super::super::args::CommonArgs;
use super::super::cluster_args::ClusterArgs;
use super::super::file_text::file_text;
use super::super::{Stop, print};

/// The largest file that is read as an answer.
const MOST: u64 = 64 << 20;

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
        let text = file_text(file, MOST)?;
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
        if let Some(elsewhere) = Elsewhere::of(&known, version, id, arch) {
            let text = elsewhere.words();
            print::notes(&[Note { text, is_important: true }], common, err)?;
        }
        let offered = Self::served(&served)?;
        // Skips freeing the graph: the process ends soon.
        std::mem::forget(known);
        Ok(offered)
    }

    /// The answer before a change. A channel that was not there has no releases.
    pub(super) fn before(
        args: &ClusterArgs,
        base: &str,
        channel: &str,
        arch: Arch,
    ) -> Result<Self, Stop> {
        let known = args.source.read_base(base, arch)?;
        let mut offered = match known.graph.channel(channel) {
            Some(id) => Self::served(&Served::of(&known.graph, id, arch))?,
            None => Self { channel: channel.to_owned(), answer: Answer::default() },
        };
        std::mem::forget(known);
        offered.answer.name_images(arch.name());
        Ok(offered)
    }

    /// The answer, read as a cluster reads what the service writes.
    fn served(served: &Served<'_>) -> Result<Self, Stop> {
        let mut json = Vec::new();
        write_served(served, Readers { know_conditions: true }, &mut json)?;
        let answer = Answer::parse(&String::from_utf8_lossy(&json)).map_err(Failure::new)?;
        let channel = served.whole.channels[served.channel].clone();
        Ok(Self { channel, answer })
    }
}
