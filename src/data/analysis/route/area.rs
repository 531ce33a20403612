//! The part of a graph that a route may use.

use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::analysis::{Offered, RiskNameId, RiskNames};
use crate::domain::version::strip_build;
use crate::domain::{Arch, Arena, channel_name, is_general};
use crate::graph::{ChannelId, Edge, ReasonId, State, UpdateGraph};

use super::hops::{Hop, Hops};

/// The releases and updates that a route may use: those of one architecture, in some channels or in
/// any channel.
#[derive(Debug)]
pub(crate) struct RouteArea<'g> {
    pub graph: &'g UpdateGraph,
    pub names: &'g RiskNames,
    offered: Offered<'g>,
    limits: RouteLimits,
    /// Whether a route may use the updates of each channel.
    is_allowed: Arena<ChannelId, bool>,
    /// Whether a route may use each release, by its number.
    is_member: Vec<bool>,
}

/// The limits for routes.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteLimits {
    pub arch: Arch,
    /// None for all channels.
    pub channels: Option<Vec<ChannelId>>,
    /// A release at which a route may start even if no channel has it yet.
    pub start: Option<String>,
    /// Versions that a route may not use.
    pub avoided: Vec<String>,
    /// Risks to ignore.
    pub accepted: Vec<RiskNameId>,
}

/// Consecutive hops of a route in the same channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leg {
    pub channel: ChannelId,
    /// How many hops.
    pub hops: usize,
}

impl<'g> RouteArea<'g> {
    pub(crate) fn of(graph: &'g UpdateGraph, names: &'g RiskNames, limits: RouteLimits) -> Self {
        let allowed = limits.channels.as_ref();
        let is_allowed = |id: ChannelId| allowed.is_none_or(|channels| channels.contains(&id));
        let is_allowed = graph.channels.ids().map(is_allowed).collect();
        let offered = Offered::of(graph, names);
        let mut area = Self { graph, names, offered, limits, is_allowed, is_member: Vec::new() };
        area.is_member = graph.graph.node_indices().map(|node| area.may_use(node)).collect();
        area
    }

    pub(crate) fn release(&self, version: &str) -> Option<NodeIndex> {
        self.releases().find(|node| self.version(*node) == version)
    }

    pub(crate) fn releases(&self) -> impl Iterator<Item = NodeIndex> {
        self.graph.graph.node_indices().filter(|node| self.contains(*node))
    }

    /// The version of a release, without its architecture.
    pub(crate) fn version(&self, node: NodeIndex) -> &'g str {
        strip_build(&self.graph.release(node).text)
    }

    /// Groups the hops of a route by the channel that a cluster needs, with as few changes of the
    /// channel as possible.
    pub(crate) fn legs<C>(&self, hops: &[Hop<C>]) -> Vec<Leg> {
        let mut legs: Vec<Leg> = Vec::new();
        let mut left = hops;
        while let Some(first) = left.first() {
            let mut shared: Vec<ChannelId> = self.channels(first.from, first.to).collect();
            let mut length = 1;
            for hop in &left[1..] {
                let own: Vec<ChannelId> = self.channels(hop.from, hop.to).collect();
                if !shared.iter().any(|id| own.contains(id)) {
                    break;
                }
                shared.retain(|id| own.contains(id));
                length += 1;
            }
            let rank = |id: &ChannelId| channel_name::phase_rank(&self.graph.channels[*id]);
            let Some(channel) = shared.into_iter().min_by_key(rank) else { break };
            legs.push(Leg { channel, hops: length });
            left = &left[length..];
        }
        legs
    }

    pub(super) fn is_one_channel(&self) -> bool {
        self.limits.channels.as_ref().is_some_and(|channels| channels.len() == 1)
    }

    /// Whether a route may use the updates of a channel.
    pub(crate) fn is_allowed(&self, channel: ChannelId) -> bool {
        self.is_allowed[channel]
    }

    /// The risks of an update that are not ignored.
    fn closers(&self, state: &State) -> Vec<RiskNameId> {
        let mut risks = self.names.of_state(self.graph, state);
        risks.retain(|risk| !self.limits.accepted.contains(risk));
        risks
    }

    /// The risks that close an update. None if it is blocked.
    pub(super) fn closed_by(&self, reason: ReasonId) -> Option<Vec<RiskNameId>> {
        let state = &self.graph.reasons[reason].state;
        (*state != State::Blocked).then(|| self.closers(state))
    }

    /// The names of the channels that a route may use. Empty if it may use all.
    pub(crate) fn channel_names(&self) -> Vec<&'g str> {
        let ids = self.limits.channels.iter().flatten();
        ids.map(|id| self.graph.channels[*id].as_str()).collect()
    }

    /// Whether one of the channels has a release.
    pub(super) fn is_served(&self, node: NodeIndex) -> bool {
        self.graph.release(node).channels.iter().any(|channel| self.is_allowed(*channel))
    }

    fn contains(&self, node: NodeIndex) -> bool {
        self.is_member[node.index()]
    }

    fn may_use(&self, node: NodeIndex) -> bool {
        let release = self.graph.release(node);
        release.is_for(self.limits.arch)
            && (self.is_served(node) || self.limits.start.as_deref() == Some(self.version(node)))
            && !self.limits.avoided.iter().any(|version| *version == self.version(node))
    }

    /// The channels that offer an update: those that contain both ends.
    fn channels(&self, from: NodeIndex, to: NodeIndex) -> impl Iterator<Item = ChannelId> {
        let both = move |id: &ChannelId| self.graph.release(to).is_in(*id);
        let own = self.graph.release(from).channels.iter().copied();
        own.filter(both).filter(|id| self.is_allowed(*id))
    }

    /// The newest of some releases that can be reached, without risks if possible.
    pub(crate) fn newest_reached(&self, from: NodeIndex, to: &[NodeIndex]) -> Option<NodeIndex> {
        let newest = |by_prereleases: bool, is_open: bool| {
            let hops = self.hops([from, from], by_prereleases, |reason| self.closed_by(reason));
            let reached = hops.reached(from, |hop| !is_open || hop.closed_by.is_empty());
            let found = to.iter().copied().filter(|node| reached.contains(node));
            found.max_by_key(|node| &self.graph.release(*node).version)
        };
        newest(false, true).or_else(|| newest(false, false)).or_else(|| newest(true, false))
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
            let is_general = is_general(&self.graph.release(node).version);
            by_prereleases || is_general || ends.contains(&node)
        };
        let wanted = self.updates().filter(|edge| is_stop(edge.source()) && is_stop(edge.target()));
        Hops::new(wanted.filter_map(|edge| {
            let closed_by = closed_by(edge.weight().reason)?;
            Some(Hop { from: edge.source(), to: edge.target(), closed_by })
        }))
    }
}
