//! The part of a graph that a route may use.

use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::analysis::{Offered, RiskNames};
use crate::domain::version::strip_build;
use crate::domain::{Arch, channel_name};
use crate::graph::{ChannelId, Edge, ReasonId, State, UpdateGraph};

use super::hops::{Hop, Hops};

/// The releases and updates that a route may use: those of one architecture, in one channel or in
/// any channel.
#[derive(Debug)]
pub(crate) struct RouteArea<'g> {
    pub graph: &'g UpdateGraph,
    pub names: &'g RiskNames,
    offered: Offered<'g>,
    arch: Arch,
    channel: Option<ChannelId>,
}

impl<'g> RouteArea<'g> {
    #[must_use]
    pub(crate) fn of(
        graph: &'g UpdateGraph,
        names: &'g RiskNames,
        arch: Arch,
        channel: Option<ChannelId>,
    ) -> Self {
        Self { graph, names, offered: Offered::of(graph, names), arch, channel }
    }

    #[must_use]
    pub(crate) fn release(&self, version: &str) -> Option<NodeIndex> {
        self.releases().find(|node| self.version(*node) == version)
    }

    pub(crate) fn releases(&self) -> impl Iterator<Item = NodeIndex> {
        self.graph.graph.node_indices().filter(|node| self.contains(*node))
    }

    /// The version of a release, without its architecture.
    #[must_use]
    pub(crate) fn version(&self, node: NodeIndex) -> &'g str {
        strip_build(&self.graph.release(node).text)
    }

    /// Of the channels that offer an update, the one with the fewest releases.
    #[must_use]
    pub(crate) fn channel_of<C>(&self, hop: &Hop<C>) -> &'g str {
        let name = |id: ChannelId| self.graph.channels[id].as_str();
        let names = self.channels(hop.from, hop.to).map(name);
        names.min_by_key(|name| channel_name::phase_rank(name)).unwrap_or_default()
    }

    pub(super) fn is_one_channel(&self) -> bool {
        self.channel.is_some()
    }

    fn contains(&self, node: NodeIndex) -> bool {
        let release = self.graph.release(node);
        release.is_for(self.arch)
            && self.channel.map_or(!release.channels.is_empty(), |channel| release.is_in(channel))
    }

    /// The channels that offer an update: those that contain both origin and target.
    fn channels(&self, from: NodeIndex, to: NodeIndex) -> impl Iterator<Item = ChannelId> {
        let both = move |id: &ChannelId| self.graph.release(to).is_in(*id);
        let own = self.graph.release(from).channels.iter().copied();
        own.filter(both).filter(|id| self.channel.is_none_or(|channel| channel == *id))
    }

    /// The updates that clusters may see, and the blocked ones. Blocked updates may explain why
    /// there is no route.
    pub(super) fn updates(&self) -> impl Iterator<Item = EdgeReference<'_, Edge>> {
        let edges = self.graph.graph.edge_references();
        edges.filter(|edge| {
            let (from, to) = (edge.source(), edge.target());
            let reason = edge.weight().reason;
            let is_blocked = self.graph.reasons[reason].state == State::Blocked;
            (is_blocked || self.offered.holds(from, to, reason))
                && self.contains(from)
                && self.contains(to)
                && self.channels(from, to).next().is_some()
        })
    }

    /// The updates that a route may use, with what closes each. Updates for which `closed_by`
    /// returns None are skipped.
    pub(super) fn hops<C: Copy + Ord>(
        &self,
        ends: [NodeIndex; 2],
        by_prereleases: bool,
        closed_by: impl Fn(ReasonId) -> Option<Vec<C>>,
    ) -> Hops<C> {
        let is_stop = |node: NodeIndex| {
            let is_general = self.graph.release(node).version.pre.is_empty();
            by_prereleases || is_general || ends.contains(&node)
        };
        let wanted = self.updates().filter(|edge| is_stop(edge.source()) && is_stop(edge.target()));
        Hops::new(wanted.filter_map(|edge| {
            let closed_by = closed_by(edge.weight().reason)?;
            Some(Hop { from: edge.source(), to: edge.target(), closed_by })
        }))
    }
}
