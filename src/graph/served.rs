//! What the service answers for one channel and one architecture.

use std::borrow::Cow;

use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{ChannelId, Edge, Reason, Release, State, UpdateGraph};
use crate::domain::{Arch, Named};

/// The part of an update graph that clusters of one channel and architecture are served.
#[derive(Clone, Debug)]
pub struct Served<'g> {
    /// The whole.
    pub whole: &'g UpdateGraph,
    /// The channel.
    pub channel: ChannelId,
    /// The architecture.
    pub arch: Arch,
    /// The releases of the part, oldest first.
    pub members: Vec<NodeIndex>,
    is_member: Vec<bool>,
}

/// What clusters of one architecture are served, by channels. Each release is asked only once
/// who it is for, which is most of the work where there are many channels.
#[derive(Clone, Debug)]
pub(crate) struct ServedByChannel<'g> {
    whole: &'g UpdateGraph,
    arch: Arch,
    members: Vec<Vec<NodeIndex>>,
}

/// An update of a [`Served`] graph, or one that its clusters would see, were it not blocked.
#[derive(Clone, Copy, Debug)]
pub struct Update<'g> {
    /// Its place in the whole graph.
    pub index: EdgeIndex,
    /// The release that it leads from.
    pub from: NodeIndex,
    /// The release that it leads to.
    pub to: NodeIndex,
    /// Its weight in the whole graph.
    pub edge: &'g Edge,
    /// Why it is as it is.
    pub reason: &'g Reason,
}

impl<'g> Served<'g> {
    /// The part of a graph for a channel and an architecture.
    #[must_use]
    pub fn of(whole: &'g UpdateGraph, channel: ChannelId, arch: Arch) -> Self {
        let is_member = |node: &NodeIndex| {
            let release = whole.release(*node);
            !release.is_abstract && release.is_in(channel) && release.is_for(arch)
        };
        Self::with(whole, channel, arch, whole.graph.node_indices().filter(is_member).collect())
    }

    fn with(
        whole: &'g UpdateGraph,
        channel: ChannelId,
        arch: Arch,
        members: Vec<NodeIndex>,
    ) -> Self {
        let mut is_member = vec![false; whole.graph.node_count()];
        for node in &members {
            is_member[node.index()] = true;
        }
        Self { whole, channel, arch, members, is_member }
    }

    /// Whether a release of the whole graph is in the part.
    #[must_use]
    pub fn holds(&self, node: NodeIndex) -> bool {
        self.is_member[node.index()]
    }

    /// A release's version as clusters of the part see it: without the architecture.
    #[must_use]
    pub fn version(&self, node: NodeIndex) -> Cow<'g, str> {
        without_arch(self.whole.release(node), self.arch)
    }

    /// Every update between members, blocked ones included, by target and then by origin.
    pub fn updates(&self) -> impl Iterator<Item = Update<'g>> {
        self.members.iter().flat_map(|node| self.updates_to(*node))
    }

    /// The updates that lead to a release from other members, oldest origin first.
    pub fn updates_to(&self, node: NodeIndex) -> impl Iterator<Item = Update<'g>> + use<'g> {
        let graph = &self.whole.graph;
        let edges = graph.edges_directed(node, petgraph::Direction::Incoming);
        let mut updates: Vec<Update<'g>> = edges
            .filter(|edge| self.holds(edge.source()))
            .map(|edge| self.update(edge.id(), edge.weight()))
            .collect();
        updates.sort_unstable_by_key(|update| update.from);
        updates.into_iter()
    }

    fn update(&self, index: EdgeIndex, edge: &'g Edge) -> Update<'g> {
        let (from, to) = self.whole.graph.edge_endpoints(index).unwrap_or_default();
        Update { index, from, to, edge, reason: self.whole.reason(index) }
    }
}

impl<'g> ServedByChannel<'g> {
    /// The parts of a graph for an architecture.
    #[must_use]
    pub(crate) fn of(whole: &'g UpdateGraph, arch: Arch) -> Self {
        let mut members: Vec<Vec<NodeIndex>> = vec![Vec::new(); whole.channels.len()];
        for node in whole.graph.node_indices() {
            let release = whole.release(node);
            if release.is_abstract || !release.is_for(arch) {
                continue;
            }
            for channel in &release.channels {
                let members = &mut members[channel.0 as usize];
                // A release may list a channel twice.
                if members.last() != Some(&node) {
                    members.push(node);
                }
            }
        }
        Self { whole, arch, members }
    }

    /// The releases of a channel, oldest first.
    #[must_use]
    pub(crate) fn members(&self, channel: ChannelId) -> &[NodeIndex] {
        &self.members[channel.0 as usize]
    }

    /// The part for a channel.
    #[must_use]
    pub(crate) fn channel(&self, channel: ChannelId) -> Served<'g> {
        let members = self.members[channel.0 as usize].clone();
        Served::with(self.whole, channel, self.arch, members)
    }
}

impl Update<'_> {
    /// Whether clusters see it.
    #[must_use]
    pub fn is_served(&self) -> bool {
        self.reason.state != State::Blocked
    }
}

/// A version without the part behind the `+` where that is the architecture.
fn without_arch(release: &Release, arch: Arch) -> Cow<'_, str> {
    if release.version.build.is_empty() {
        return Cow::Borrowed(&release.text);
    }
    let (core, build) = release.text.split_once('+').unwrap_or((&release.text, ""));
    let kept: Vec<&str> = build.split('.').filter(|part| *part != arch.name()).collect();
    if kept.is_empty() { Cow::Borrowed(core) } else { format!("{core}+{}", kept.join(".")).into() }
}
