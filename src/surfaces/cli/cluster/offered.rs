//! What the update service answers to the cluster, from the repository or from a file.

use std::io::Write;
use std::path::Path;

use crate::cluster::ServiceAnswer;
use crate::domain::{Arch, Architectures, Named};
use crate::graph::Served;
use crate::graph_data::Consumer;
use crate::session::{Elsewhere, KnownGraph, Note};
use crate::text::Failure;

use super::super::cluster_args::ClusterArgs;
use super::super::common_args::CommonArgs;
use super::super::file_text::file_text;
use super::super::source_args::GraphSourceArgs;
use super::super::{Stop, print};

/// The largest file that is read as an answer.
const MOST: u64 = 64 << 20;

/// What a cluster asks the update service for.
#[derive(Clone, Copy)]
pub(super) struct AskedUpdates<'a> {
    /// The release that it runs.
    pub(super) version: &'a str,
    /// Empty if it has none.
    pub(super) channel: &'a str,
    /// Whether the channel is that of a real object: its operator has an answer for a channel that
    /// does not exist, too.
    pub(super) is_real: bool,
    pub(super) arch: Arch,
}

/// What the update service answers to the cluster.
pub(super) struct Offered {
    pub(super) channel: String,
    pub(super) answer: ServiceAnswer,
    /// What the service does not load of the repository.
    pub(super) not_loaded: Vec<String>,
}

impl Offered {
    pub(super) fn read(
        args: &ClusterArgs,
        asked: AskedUpdates<'_>,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let mut offered = match &args.source.graph {
            Some(file) => Self::of_file(file, asked.channel)?,
            None => Self::of_repository(args, asked, common, err)?,
        };
        if offered.answer.name_images(asked.arch.name()) {
            let text = "the images of some releases are not known: those shown are the usual names"
                .to_owned();
            print::notes(&[Note { text, is_important: false }], common, err)?;
        }
        Ok(offered)
    }

    fn of_file(file: &Path, channel: &str) -> Result<Self, Failure> {
        let name = file.display();
        let text = file_text(file, MOST)?;
        let answer = ServiceAnswer::parse(&text).map_err(|words| {
            Failure::new(format!("clusters cannot read {name} as an answer: {words}"))
        })?;
        let stem = || file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let channel = if channel.is_empty() { stem() } else { channel };
        Ok(Self { channel: channel.to_owned(), answer, not_loaded: Vec::new() })
    }

    fn of_repository(
        args: &ClusterArgs,
        asked: AskedUpdates<'_>,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let AskedUpdates { version, channel, is_real, arch } = asked;
        let known =
            args.source.read(None, Architectures::only(&arch), Consumer::Schema1_1, false)?;
        print::known_graph(&known, common, err)?;
        let graph = &known.graph;
        let id = graph.channel(channel);
        let set = Some(channel).filter(|name| !name.is_empty());
        if let Some(elsewhere) = Elsewhere::of(&known, version, set, arch) {
            if id.is_none() && !is_real {
                let failure = elsewhere.failure(std::iter::empty());
                let hint = "name it: `--channel stable-4.18`";
                return Err(if set.is_some() { failure } else { failure.or_hint(hint) }.into());
            }
            let text = elsewhere.words();
            print::notes(&[Note { text, is_important: true }], common, err)?;
        }
        // The service has an empty answer for a channel that does not exist.
        let mut offered = match id {
            Some(id) => Self::served(&Served::of(graph, id, arch))?,
            None => Self::nothing(channel),
        };
        offered.not_loaded.clone_from(&known.not_loaded);
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
        let (_, known) = args.source.read_base(None, base, Architectures::only(&arch))?;
        Ok(Self::of_known(known, channel, arch)?)
    }

    /// The answer of another source. A channel that is not there has no releases.
    pub(super) fn of_source(
        source: &GraphSourceArgs,
        channel: &str,
        arch: Arch,
    ) -> Result<Self, Failure> {
        let known = source.read(None, Architectures::only(&arch), Consumer::Schema1_1, false)?;
        Self::of_known(known, channel, arch)
    }

    fn of_known(known: KnownGraph, channel: &str, arch: Arch) -> Result<Self, Failure> {
        let mut offered = match known.graph.channel(channel) {
            Some(id) => Self::served(&Served::of(&known.graph, id, arch))?,
            None => Self::nothing(channel),
        };
        std::mem::forget(known);
        offered.answer.name_images(arch.name());
        Ok(offered)
    }

    fn served(served: &Served<'_>) -> Result<Self, Failure> {
        let channel = served.whole.channels[served.channel].clone();
        Ok(Self { channel, answer: ServiceAnswer::of(served)?, not_loaded: Vec::new() })
    }

    fn nothing(channel: &str) -> Self {
        Self {
            channel: channel.to_owned(),
            answer: ServiceAnswer::default(),
            not_loaded: Vec::new(),
        }
    }
}
