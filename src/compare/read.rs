//! Reads an answer of a service.

use crate::domain::Arch;
use crate::graph::cincinnati::{GraphFault, GraphFile};
use crate::graph::{ChannelId, Served, Update, UpdateGraph};
use crate::text::SourceId;

use super::Differences;

/// An answer of a service for one channel and architecture.
#[derive(Debug)]
pub(crate) struct TheirAnswer {
    graph: UpdateGraph,
    channel: ChannelId,
    arch: Arch,
}

/// Reads an answer as clusters do. An error is the first fault that clusters do not accept.
pub(crate) fn read(text: &str, channel: &str, arch: Arch) -> Result<TheirAnswer, String> {
    let file = GraphFile::read(SourceId::at(0), text);
    let line = |fault: &GraphFault| text[..fault.span.start].matches('\n').count() + 1;
    if let Some(fault) = file.faults.iter().find(|fault| !fault.clusters_accept) {
        return Err(format!("line {} is not that of a graph: {}", line(fault), fault.why));
    }
    let mut graph = UpdateGraph::adopt(&file, arch);
    let channel = graph.channel(channel).unwrap_or_else(|| graph.put_all_into(channel));
    Ok(TheirAnswer { graph, channel, arch })
}

impl TheirAnswer {
    /// How it differs from ours, and how many updates it has.
    #[must_use]
    pub(crate) fn differences(&self, ours: &UpdateGraph, channel: &str) -> (Differences, usize) {
        let theirs = Served::of(&self.graph, self.channel, self.arch);
        let updates = theirs.updates().filter(Update::is_served).count();
        let mut nothing = UpdateGraph::default();
        let none = nothing.channels.push(channel.to_owned());
        let (ours, channel) = ours.channel(channel).map_or((&nothing, none), |id| (ours, id));
        let differences = Differences::between(&theirs, &Served::of(ours, channel, self.arch));
        (differences, updates)
    }
}
