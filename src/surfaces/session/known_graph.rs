//! The update graph of a repository or a file, with its origin.

use std::path::Path;

use crate::assembly::assemble;
use crate::channel_list::ChannelList;
use crate::domain::{Arch, Architectures};
use crate::graph::{ChannelId, Knowledge, UpdateGraph};
use crate::graph_data::{Consumer, GraphData, not_loaded};
use crate::lineage::{ChannelAges, Policy, Provenance, Support, Supported, read_answer};
use crate::text::Failure;

use super::{LoadedRepository, Note, ReadRequest, Session};

#[derive(Debug)]
pub(crate) struct KnownGraph {
    pub graph: UpdateGraph,
    pub provenance: Provenance,
    pub supported: Supported,
    /// The channel that a graph file was served for.
    pub channel: Option<ChannelId>,
    /// How long channels have had their releases.
    pub ages: ChannelAges,
    /// None for a graph file.
    pub data: Option<GraphData>,
    pub uncertain: usize,
    /// Notes from reading the repository.
    pub notes: Vec<Note>,
    /// Which parts of the repository the service does not load, so that it serves another graph
    /// than this one.
    pub not_loaded: Vec<String>,
}

impl KnownGraph {
    /// The graph of a repository.
    pub(crate) fn of_repository(
        session: &Session,
        request: &ReadRequest<'_>,
        architectures: Architectures<'_>,
        consumer: Consumer,
    ) -> Result<Self, Failure> {
        let LoadedRepository { data, sources, mut notes, .. } = session.read(request)?;
        let Some(sources) = sources else {
            return Err(Failure::new("a graph needs the sources of its updates"));
        };
        let lineage = sources.lineage(&data, architectures);
        let graph = assemble(&data, &lineage, consumer);
        let listed = lineage.updates.iter();
        let uncertain = listed.filter(|update| update.knowledge == Knowledge::Uncertain).count();
        let supported = sources.supported(&data, &lineage, &session.config.supported);
        let provenance = lineage.provenance.clone();
        if let [only] = architectures.all
            && !graph.graph.node_weights().any(|release| release.is_for(*only))
        {
            let text = format!("no release is for {only}: the graph is empty");
            notes.push(Note { text, is_important: true });
        }
        let not_loaded = not_loaded(&data, consumer);
        Ok(Self {
            graph,
            provenance,
            supported,
            channel: None,
            ages: sources.ages(),
            data: Some(data),
            uncertain,
            notes,
            not_loaded,
        })
    }

    /// What is known about the channels. For a graph file, only their names are known.
    pub(crate) fn channel_list(&self) -> ChannelList {
        let by_names = || ChannelList::by_names(self.graph.channels.iter().map(String::as_str));
        self.data.as_ref().map_or_else(by_names, ChannelList::of)
    }

    /// Replaces the rule for which releases are supported.
    pub(crate) fn with_policy(self, policy: Option<Policy>) -> Self {
        match policy {
            Some(policy) => Self { supported: self.supported.with(policy), ..self },
            None => self,
        }
    }
}

/// Reads a graph file. A response of the service is for one channel, even if its releases do not
/// name that channel: `as_answer` puts all releases into it.
pub(crate) fn read_graph_file(
    path: &Path,
    arch: Arch,
    as_answer: bool,
) -> Result<KnownGraph, Failure> {
    if path.is_dir() {
        let what = format!("{} is a folder, not a graph", path.display());
        return Err(Failure::new(what).hint("`--releases` takes a folder of release metadata"));
    }
    let (file, notes) = read_answer(path)?;
    let mut graph = UpdateGraph::adopt(&file, arch);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let channel = if as_answer { graph.take_as_answer(stem) } else { graph.answered_for(stem) };
    let source = path.display().to_string();
    // A graph file does not say how old its releases are, so all are checked.
    let every = Policy::everywhere(Support::General);
    Ok(KnownGraph {
        graph,
        provenance: Provenance { source, notes, ..Provenance::default() },
        supported: Supported::without_past(every),
        channel,
        ages: ChannelAges::default(),
        data: None,
        uncertain: 0,
        notes: Vec::new(),
        not_loaded: Vec::new(),
    })
}
