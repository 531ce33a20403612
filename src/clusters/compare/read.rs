//! Reads an answer of a service.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::cluster::ServiceAnswer;
use crate::domain::Arch;
use crate::graph::cincinnati::{GraphFault, GraphFile};
use crate::graph::{ChannelId, Served, Update, UpdateGraph};
use crate::text::{Failure, SourceId};

use super::Differences;

/// An answer of a service for one channel and architecture.
#[derive(Debug)]
pub(crate) struct TheirAnswer {
    graph: UpdateGraph,
    channel: ChannelId,
    arch: Arch,
}

/// Reads an answer as clusters do. An error is the first fault that clusters do not accept.
pub(crate) fn read(text: &str, channel: &str, arch: Arch) -> Result<TheirAnswer, Failure> {
    let file = GraphFile::read(SourceId::at(0), text);
    let line = |fault: &GraphFault| text[..fault.span.start].matches('\n').count() + 1;
    if let Some(fault) = file.faults.iter().find(|fault| !fault.clusters_accept) {
        return Err(Failure::new(format!(
            "line {} is not that of a graph: {}",
            line(fault),
            fault.why
        )));
    }
    refuse_what_clusters_reject(text)?;
    let mut graph = UpdateGraph::adopt(&file, arch);
    let double = graph.doubles.first().map(|double| (double.from, double.to));
    if let Some((from, to)) = double {
        let [from, to] = [from, to].map(|node| &graph.release(node).version);
        return Err(Failure::new(format!("it lists {from} -> {to} twice")));
    }
    if let Some((from, to)) = graph.dangling.first() {
        let from = &graph.release(*from).version;
        return Err(Failure::new(format!(
            "it has a conditional update {from} -> {to}, but no release {to}"
        )));
    }
    let channel = graph.channel(channel).unwrap_or_else(|| graph.put_all_into(channel));
    Ok(TheirAnswer { graph, channel, arch })
}

/// Refuses what the operator of a cluster cannot use.
fn refuse_what_clusters_reject(text: &str) -> Result<(), Failure> {
    let answer = ServiceAnswer::parse(text).map_err(|why| format!("clusters reject it: {why}"))?;
    let json: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
    if json.get("nodes").is_none() {
        return Err(Failure::new("it is not a graph: it has no `nodes`"));
    }
    let is_out_of_range =
        |at: &i64| usize::try_from(*at).map_or(true, |at| at >= answer.nodes.len());
    let mut ends = answer.edges.iter().flat_map(|(from, to)| [from, to]);
    if let Some(at) = ends.find(|at| is_out_of_range(at)) {
        return Err(Failure::new(format!(
            "it has no release number {at}, but an update from or to it"
        )));
    }
    let mut versions = BTreeSet::new();
    match answer.nodes.iter().find(|node| !versions.insert(&node.version)) {
        Some(node) => Err(Failure::new(format!("it has the release {} twice", node.version))),
        None => Ok(()),
    }
}

impl TheirAnswer {
    /// How it differs from ours, and how many updates it has.
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
