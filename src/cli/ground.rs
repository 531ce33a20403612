//! What `exitpath path` goes over, and what closes its ways.

use std::collections::BTreeSet;

use petgraph::graph::{EdgeIndex, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::analysis::{Names, Offered, Step, Steps};
use crate::graph::{ChannelId, DeclarationId, Edge, ReasonId, State, UpdateGraph};
use crate::graph_data::{BlockedEdge, GraphData, without_build};

use super::Failure;
use super::simulate::unknown;

/// The part of a graph that ways go over: one architecture, and the channels that count.
pub(super) struct Ground<'g> {
    pub(super) graph: &'g UpdateGraph,
    pub(super) names: &'g Names,
    pub(super) offered: Offered<'g>,
    pub(super) arch: &'g str,
    pub(super) channel: Option<ChannelId>,
    /// Whether pre-releases may be stops on the way.
    pub(super) by_prereleases: bool,
}

impl Ground<'_> {
    /// The release of a version, in the channels that count.
    pub(super) fn release(&self, version: &str) -> Result<u32, Failure> {
        let nodes = || self.graph.graph.node_indices().filter(|node| self.counts(*node));
        let found = nodes().find(|node| self.version(*node) == version);
        if let Some(node) = found {
            return Ok(u32::try_from(node.index()).unwrap_or(u32::MAX));
        }
        let names: BTreeSet<&str> = nodes().map(|node| self.version(node)).collect();
        Err(unknown("release", version, names.into_iter()))
    }

    fn counts(&self, node: NodeIndex) -> bool {
        let release = self.graph.release(node);
        release.is_for(self.arch)
            && self.channel.map_or(!release.channels.is_empty(), |channel| release.is_in(channel))
    }

    pub(super) fn version(&self, node: NodeIndex) -> &str {
        let text = &*self.graph.release(node).text;
        text.split('+').next().unwrap_or(text)
    }

    /// The channels that offer an update: those that both ends are in.
    fn channels(&self, from: NodeIndex, to: NodeIndex) -> impl Iterator<Item = ChannelId> {
        let both = move |id: &ChannelId| self.graph.release(to).is_in(*id);
        let own = self.graph.release(from).channels.iter().copied();
        own.filter(both).filter(|id| self.channel.is_none_or(|channel| channel == *id))
    }

    /// The updates that clusters of the channels that count may see.
    fn updates(&self) -> impl Iterator<Item = EdgeReference<'_, Edge>> {
        let edges = self.graph.graph.edge_references();
        edges.filter(|edge| {
            let (from, to) = (edge.source(), edge.target());
            // A blocked update is looked at, too: it may be what is in the way.
            let reason = edge.weight().reason;
            let is_blocked = self.graph.reasons[reason.0 as usize].state == State::Blocked;
            (is_blocked || self.offered.holds(from, to, reason))
                && self.counts(from)
                && self.counts(to)
                && self.channels(from, to).next().is_some()
        })
    }

    /// The updates that ways go over, each with what closes it; without those of which `closed_by`
    /// knows nothing. Nobody goes by way of a pre-release, if there is another way.
    pub(super) fn steps(
        &self,
        (from, to): (u32, u32),
        closed_by: impl Fn(ReasonId) -> Option<Vec<u32>>,
    ) -> Steps {
        let is_stop = |node: NodeIndex| {
            let is_end = [from, to].map(NodeIndex::from).contains(&node);
            self.by_prereleases || is_end || self.graph.release(node).version.pre.is_empty()
        };
        let wanted = self.updates().filter(|edge| is_stop(edge.source()) && is_stop(edge.target()));
        let place = |node: NodeIndex| u32::try_from(node.index()).unwrap_or(u32::MAX);
        Steps::new(wanted.filter_map(|edge| {
            let risks = closed_by(edge.weight().reason)?;
            Some(Step { from: place(edge.source()), to: place(edge.target()), risks })
        }))
    }

    /// The narrowest channel that offers a step.
    pub(super) fn channel_of(&self, step: &Step) -> &str {
        let width = |id: &ChannelId| {
            let name = &self.graph.channels[id.0 as usize];
            ["stable", "eus", "fast"].iter().position(|phase| name.starts_with(phase)).unwrap_or(3)
        };
        let channels = self.channels(step.from.into(), step.to.into());
        let best = channels.min_by_key(width);
        best.map_or("", |id| self.graph.channels[id.0 as usize].as_str())
    }

    pub(super) fn risks(&self, step: &Step) -> Vec<&str> {
        step.risks.iter().map(|risk| self.names.name(*risk)).collect()
    }

    /// The files of blocks of which the end of one alone would open a way, whatever its risks.
    pub(super) fn unblocked_by<'d>(&self, data: &'d GraphData, from: u32, to: u32) -> Vec<&'d str> {
        let file = |id: DeclarationId| self.graph.declarations[id.0 as usize].to.source;
        let target = |edge: &BlockedEdge| edge.target.as_ref().map(without_build);
        // Of several blocks of one release the last counts, and then the one before it.
        let is_only = |id: DeclarationId| {
            let edge = data.blocked_edges.iter().find(|edge| edge.file == file(id));
            let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block());
            blocks.filter(|block| edge.and_then(target) == target(block)).count() == 1
        };
        let closed_by = |reason: ReasonId| {
            let reason = &self.graph.reasons[reason.0 as usize];
            match (&reason.state, reason.declarations.as_slice()) {
                (State::Open | State::Conditional(_), _) => Some(Vec::new()),
                (State::Blocked, [only]) if reason.metadata_key.is_none() => Some(vec![only.0]),
                (State::Blocked, _) => None,
            }
        };
        let blocks = self.steps((from, to), closed_by).freed_by(from, to);
        let blocks = blocks.into_iter().map(DeclarationId).filter(|id| is_only(*id));
        blocks.map(|id| data.path(file(id))).collect()
    }

    /// What closes the way, in the fewest words that are true.
    pub(super) fn why_not(&self, data: Option<&GraphData>, from: u32, to: u32) -> String {
        let all = self.steps((from, to), |_| Some(Vec::new()));
        let is_open = |step: &Step| {
            let edge = self.graph.graph.find_edge(step.from.into(), step.to.into());
            edge.is_some_and(|edge| self.graph.reason(edge).state != State::Blocked)
        };
        if let Some(way) = all.shortest(from, to, |_| true) {
            let blocked: Vec<&&Step> = way.iter().filter(|step| !is_open(step)).collect();
            let by = blocked.iter().filter_map(|step| {
                let edge: EdgeIndex =
                    self.graph.graph.find_edge(step.from.into(), step.to.into())?;
                let declaration: DeclarationId = *self.graph.reason(edge).declarations.first()?;
                let span = self.graph.declarations[declaration.0 as usize].to;
                Some(data?.path(span.source).to_owned())
            });
            let mut by: Vec<String> = by.collect();
            by.dedup();
            let first = blocked.first().map(|step| {
                format!("{} → {}", self.version(step.from.into()), self.version(step.to.into()))
            });
            let by =
                if by.is_empty() { String::new() } else { format!(" by {}", by.join(" and ")) };
            return format!("{} is blocked{by}", first.unwrap_or_default());
        }
        let (from, to) = (NodeIndex::from(from), NodeIndex::from(to));
        let (origin, target) = (self.version(from), self.version(to));
        if self.graph.release(to).version < self.graph.release(from).version {
            format!("{target} is older: updates only go to newer releases")
        } else if !self.updates().any(|edge| edge.source() == from) {
            format!("no update leads away from {origin}")
        } else if !self.updates().any(|edge| edge.target() == to) {
            format!("no update leads to {target}")
        } else {
            format!("nothing that {origin} can come to leads there")
        }
    }
}
