//! What the service answers for a channel and an architecture.

use std::borrow::Cow;
use std::collections::BTreeSet;

use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{ChannelId, Edge, NodeMap, Reason, Release, State, UpdateGraph};
use crate::domain::{Arch, Arena, HashMap, Named};

/// The part of an update graph that the service answers to clusters of one channel and
/// architecture. Also has the blocked updates.
#[derive(Clone, Debug)]
pub struct Served<'g> {
    /// The whole graph.
    pub whole: &'g UpdateGraph,
    /// The channel.
    pub channel: ChannelId,
    /// The architecture.
    pub arch: Arch,
    /// The releases of the part, oldest first.
    pub members: Vec<NodeIndex>,
    member_set: NodeMap<()>,
}

/// The parts of all channels for one architecture. Checks the architecture of each release only
/// once, which is most of the work if there are many channels.
#[derive(Clone, Debug)]
pub(crate) struct ServedByChannel<'g> {
    whole: &'g UpdateGraph,
    arch: Arch,
    members: Arena<ChannelId, Vec<NodeIndex>>,
}

/// An update between members of a [`Served`] graph. It may be blocked.
#[derive(Clone, Copy, Debug)]
pub struct Update<'g> {
    /// The origin.
    pub from: NodeIndex,
    /// The target.
    pub to: NodeIndex,
    /// The weight of the edge.
    pub edge: &'g Edge,
    /// Why it has its state.
    pub reason: &'g Reason,
}

impl<'g> Served<'g> {
    /// The part of a graph for a channel and an architecture.
    pub fn of(whole: &'g UpdateGraph, channel: ChannelId, arch: Arch) -> Self {
        let is_member = |node: &NodeIndex| {
            let release = whole.release(*node);
            !release.is_abstract && release.is_in(channel) && release.is_for(arch)
        };
        Self::with(whole, channel, arch, whole.graph.node_indices().filter(is_member).collect())
    }

    /// The part with only a release and all releases that it can reach, over conditional updates,
    /// too. None if the release is not a member.
    #[must_use]
    pub(crate) fn below(&self, root: NodeIndex) -> Option<Self> {
        if !self.holds(root) {
            return None;
        }
        let mut targets: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::default();
        for update in self.updates().filter(Update::is_served) {
            targets.entry(update.from).or_default().push(update.to);
        }
        let mut reached: BTreeSet<NodeIndex> = BTreeSet::from([root]);
        let mut next = vec![root];
        while let Some(node) = next.pop() {
            let new = targets.get(&node).into_iter().flatten();
            next.extend(new.filter(|target| reached.insert(**target)));
        }
        let members = reached.into_iter().collect();
        Some(Self::with(self.whole, self.channel, self.arch, members))
    }

    fn with(
        whole: &'g UpdateGraph,
        channel: ChannelId,
        arch: Arch,
        members: Vec<NodeIndex>,
    ) -> Self {
        let member_set = NodeMap::of(&members, std::iter::repeat(()));
        Self { whole, channel, arch, members, member_set }
    }

    /// Whether a release of the whole graph is a member of the part.
    pub fn holds(&self, node: NodeIndex) -> bool {
        self.member_set.holds(node)
    }

    /// The version as clusters see it: without the architecture.
    pub fn version(&self, node: NodeIndex) -> Cow<'g, str> {
        without_arch(self.whole.release(node), self.arch)
    }

    /// All updates between members, including blocked ones, in order of target and origin.
    pub fn updates(&self) -> impl Iterator<Item = Update<'g>> {
        self.members.iter().flat_map(|node| self.updates_to(*node))
    }

    /// The updates from other members to a release, oldest origin first.
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
        Update { from, to, edge, reason: self.whole.reason(index) }
    }
}

impl<'g> ServedByChannel<'g> {
    pub(crate) fn of(whole: &'g UpdateGraph, arch: Arch) -> Self {
        let mut members = Arena::filled(whole.channels.len(), Vec::new());
        for node in whole.graph.node_indices() {
            let release = whole.release(node);
            if release.is_abstract || !release.is_for(arch) {
                continue;
            }
            for channel in &release.channels {
                let members = &mut members[*channel];
                // A release may list a channel twice.
                if members.last() != Some(&node) {
                    members.push(node);
                }
            }
        }
        Self { whole, arch, members }
    }

    pub(crate) fn members(&self, channel: ChannelId) -> &[NodeIndex] {
        &self.members[channel]
    }

    pub(crate) fn channel(&self, channel: ChannelId) -> Served<'g> {
        let members = self.members[channel].clone();
        Served::with(self.whole, channel, self.arch, members)
    }
}

impl Update<'_> {
    /// Whether clusters see it: it is not blocked.
    pub fn is_served(&self) -> bool {
        self.reason.state != State::Blocked
    }
}

/// The version without the architecture in its build metadata.
pub(crate) fn without_arch(release: &Release, arch: Arch) -> Cow<'_, str> {
    if release.version.build.is_empty() {
        return Cow::Borrowed(&release.text);
    }
    let (core, build) = release.text.split_once('+').unwrap_or((&release.text, ""));
    let kept: Vec<&str> = build.split('.').filter(|part| *part != arch.name()).collect();
    if kept.is_empty() { Cow::Borrowed(core) } else { format!("{core}+{}", kept.join(".")).into() }
}
