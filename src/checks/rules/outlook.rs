//! The update graph of a repository, and what depends on it.

#[cfg(feature = "lsp")]
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use petgraph::Direction;
use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

#[cfg(feature = "lsp")]
use crate::analysis::{GraphDifference, RiskNames};
use crate::analysis::{KnownChannels, Simulation, SimulationRequest};
use crate::domain::{Arch, Buckets, Version};
use crate::graph::{ChannelId, Edge, Knowledge, Release, State, UpdateGraph};
use crate::graph_data::{ReleaseId, Releases};
use crate::lineage::{ChannelAges, Supported};

/// The update graph of a repository, and what depends on it.
#[derive(Debug)]
pub struct Outlook {
    /// The update graph of the repository.
    pub graph: UpdateGraph,
    /// Which releases are supported.
    pub supported: Supported,
    /// How long channels have had their releases.
    pub ages: ChannelAges,
    #[cfg(feature = "lsp")]
    names: OnceLock<RiskNames>,
    releases: Arc<Releases>,
    /// Computed once for all states with the same releases and listed updates.
    origins: Arc<OnceLock<Buckets<ReleaseId, Origin>>>,
    /// Whether the releases list the same updates as in an earlier state.
    pub(crate) lists_as_before: bool,
    /// The results of channels that are as in an earlier state.
    known: KnownChannels,
    /// The results of all channels that clusters should use, if somebody has asked.
    simulated: OnceLock<KnownChannels>,
}

/// A release from which a target lists, or may list, an update. The update may be blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The release.
    pub release: ReleaseId,
    /// Whether the update is certain to be listed.
    pub is_certain: bool,
}

impl Outlook {
    pub(crate) fn new(
        graph: UpdateGraph,
        supported: Supported,
        ages: ChannelAges,
        releases: &Arc<Releases>,
    ) -> Self {
        Self {
            graph,
            supported,
            ages,
            #[cfg(feature = "lsp")]
            names: OnceLock::new(),
            releases: Arc::clone(releases),
            origins: Arc::default(),
            lists_as_before: false,
            known: KnownChannels::new(),
            simulated: OnceLock::new(),
        }
    }

    /// Takes over what an edit does not change. `before` must have the same commit and settings.
    #[cfg(feature = "lsp")]
    pub(crate) fn after(self, before: &Self) -> Self {
        let difference = GraphDifference::between(before.with_names(), self.with_names());
        self.taking_over(before, difference)
    }

    /// Like [`after`](Self::after), for an edit of these channels that changes no update. The graph
    /// before is not needed.
    #[cfg(feature = "lsp")]
    pub(crate) fn after_edit_of_channels(
        self,
        before: &Self,
        channels: Option<BTreeSet<ChannelId>>,
    ) -> Self {
        self.taking_over(before, channels.map(GraphDifference::of_channels))
    }

    #[cfg(feature = "lsp")]
    fn taking_over(mut self, before: &Self, difference: Option<GraphDifference>) -> Self {
        let Some(difference) = difference else { return self };
        let GraphDifference { channels, has_same_updates, has_same_reasons } = difference;
        if has_same_updates && Arc::ptr_eq(&self.releases, &before.releases) {
            self.origins = Arc::clone(&before.origins);
            self.lists_as_before = true;
        }
        let known = before.simulated.get().into_iter().flatten();
        let known = known.filter(|(channel, stranding)| {
            (has_same_reasons || stranding.is_empty())
                && !channels.contains(channel)
                && self.supports_as(before, **channel)
        });
        self.known = known.map(|(channel, stranding)| (*channel, stranding.clone())).collect();
        self
    }

    /// Whether the same releases of a channel are supported before an edit that leaves the channel as
    /// it is.
    #[cfg(feature = "lsp")]
    fn supports_as(&self, before: &Self, channel: ChannelId) -> bool {
        let name = &self.graph.channels[channel];
        let is_alike =
            |version| self.supported.holds(name, version) == before.supported.holds(name, version);
        self.supported.is_surely_as(&before.supported) || {
            let mut releases = self.graph.graph.node_weights();
            releases.all(|release| !release.is_in(channel) || is_alike(&release.version))
        }
    }

    #[cfg(feature = "lsp")]
    fn with_names(&self) -> (&UpdateGraph, &RiskNames) {
        (&self.graph, self.names.get_or_init(|| RiskNames::of(&self.graph)))
    }

    /// The simulation of the channels that clusters should use, without conditional updates. It may
    /// lack channels without a stranded release. None if no release is stranded.
    pub fn stranding(&self) -> Option<Simulation<'_>> {
        let channels: Vec<ChannelId> = self.graph.advised_channels().collect();
        // Rules report versions, which are the same for all architectures.
        let request = SimulationRequest::of(channels, vec![Arch::default()]);
        let request = SimulationRequest { known: self.known.clone(), ..request };
        let is_supported =
            |channel: &str, version: &Version| self.supported.holds(channel, version);
        let simulation = Simulation::of(&self.graph, &request, &is_supported);
        let stranding = simulation.channels.iter().filter(|one| !one.stranded.is_empty());
        self.simulated.get_or_init(|| {
            let mut all: KnownChannels =
                request.channels.into_iter().map(|channel| (channel, Vec::new())).collect();
            for one in stranding.clone() {
                all.entry(one.channel).or_default().push(one.clone());
            }
            all
        });
        (stranding.count() > 0).then_some(simulation)
    }

    /// The listed origins of each target.
    pub(super) fn origins(&self) -> &Buckets<ReleaseId, Origin> {
        self.origins.get_or_init(|| self.listed_origins())
    }

    fn listed_origins(&self) -> Buckets<ReleaseId, Origin> {
        let Self { graph, releases, .. } = self;
        let release = |node| releases.find(&graph.release(node).version);
        let ids: Vec<Option<ReleaseId>> = graph.graph.node_indices().map(release).collect();
        let listed = graph.graph.raw_edges().iter().map(|edge| {
            let is_certain = edge.weight.knowledge != Knowledge::Uncertain;
            (edge.source(), edge.target(), is_certain)
        });
        let unlikely = graph.unlikely.iter().map(|(from, to)| (*from, *to, false));
        let by_target = listed.chain(unlikely).filter_map(|(from, to, is_certain)| {
            let (release, to) = ids[from.index()].zip(ids[to.index()])?;
            Some((to, Origin { release, is_certain }))
        });
        let mut origins = Buckets::of(releases.len(), by_target);
        // If architectures differ in what is certain, the certain origin counts.
        let order = |origin: &Origin| (origin.release, !origin.is_certain);
        origins.sort_and_dedup(order, |origin| origin.release);
        origins
    }

    /// Why no release is checked, if none is: the data is too old, or there are no releases.
    pub fn unchecked(&self) -> Option<String> {
        let graph = &self.graph;
        let advised: Vec<ChannelId> = graph.advised_channels().collect();
        let nodes = graph.graph.raw_nodes().iter().rev().map(|node| &node.weight);
        let mut releases = nodes.filter(|release| !release.is_abstract);
        let is_checked = |release: &Release| {
            advised.iter().any(|channel| {
                release.is_in(*channel)
                    && self.supported.holds(&graph.channels[*channel], &release.version)
            })
        };
        let is_advised = |release: &&Release| advised.iter().any(|channel| release.is_in(*channel));
        let newest = releases.clone().find(is_advised)?;
        (!releases.any(is_checked)).then(|| self.supported.why("", &newest.version))
    }

    /// The targets of the certain updates from a release, including conditional updates.
    pub fn targets_of(&self, origin: &Version) -> impl Iterator<Item = &Version> {
        let offered = self.offered(origin, Direction::Outgoing);
        offered.map(|edge| &self.graph.release(edge.target()).version)
    }

    /// The origins of the certain updates to a release, including conditional updates.
    #[cfg(feature = "lsp")]
    pub(crate) fn origins_of(&self, target: &Version) -> impl Iterator<Item = &Version> {
        let offered = self.offered(target, Direction::Incoming);
        offered.map(|edge| &self.graph.release(edge.source()).version)
    }

    /// The certain updates of a release that no block removes.
    fn offered(
        &self,
        release: &Version,
        direction: Direction,
    ) -> impl Iterator<Item = EdgeReference<'_, Edge>> {
        let releases = self.graph.graph.raw_nodes();
        let before = |node: &petgraph::graph::Node<Release>| {
            node.weight.version.cmp_precedence(release).is_lt()
        };
        let at = NodeIndex::new(releases.partition_point(before));
        let is_it = releases
            .get(at.index())
            .is_some_and(|node| node.weight.version.cmp_precedence(release).is_eq());
        let edges = is_it.then(|| self.graph.graph.edges_directed(at, direction));
        edges.into_iter().flatten().filter(|edge| {
            edge.weight().knowledge != Knowledge::Uncertain
                && self.graph.reason(edge.id()).state != State::Blocked
        })
    }
}
