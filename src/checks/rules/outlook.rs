//! The update graph of a repository, and what depends on it.

#[cfg(feature = "lsp")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use petgraph::Direction;
use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

#[cfg(feature = "lsp")]
use crate::analysis::{GraphDifference, RiskNames};
use crate::analysis::{KnownChannels, Simulation, SimulationRequest};
#[cfg(feature = "lsp")]
use crate::domain::Minor;
use crate::domain::{Arch, Version};
use crate::graph::{ChannelId, Edge, Knowledge, Release, State, UpdateGraph};
use crate::graph_data::{ReleaseId, Releases};
use crate::lineage::{ChannelAges, Supported};

use super::listed_origins::{ListedOrigins, Origin};

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
    origins: Arc<ListedOrigins>,
    /// The releases that list other updates than in an earlier state. None if nothing was compared.
    relisted: Option<BTreeSet<NodeIndex>>,
    /// Whether all releases are as in the earlier state, and list the same updates.
    pub(crate) lists_as_before: bool,
    /// The results of channels that are as in an earlier state.
    known: KnownChannels,
    /// The results of all channels that clusters should use, computed on demand.
    simulated: OnceLock<KnownChannels>,
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
            origins: Arc::new(ListedOrigins::new(releases)),
            relisted: None,
            lists_as_before: false,
            known: KnownChannels::new(),
            simulated: OnceLock::new(),
        }
    }

    /// Takes over what an edit does not change. `before` must have the same commit and settings.
    #[cfg(feature = "lsp")]
    pub(crate) fn after(self, before: &Self) -> Self {
        let difference =
            GraphDifference::between(&before.graph, before.names(), &self.graph, self.names());
        self.taking_over(before, difference)
    }

    /// Takes over what an edit does not change, if it is known how the graphs differ. The graph
    /// before is not needed.
    #[cfg(feature = "lsp")]
    pub(crate) fn taking_over(
        mut self,
        before: &Self,
        difference: Option<GraphDifference>,
    ) -> Self {
        let Some(difference) = difference else { return self };
        let known = before.simulated.get().into_iter().flatten();
        let supported_otherwise = self.channels_supported_otherwise(&before.supported);
        let known = known.filter_map(|(channel, stranding)| {
            let known = difference.known_after(*channel, stranding)?;
            (!supported_otherwise.contains(&known.0)).then_some(known)
        });
        self.known = known.collect();
        if difference.has_same_updates && self.origins.are_about_releases_of(&before.origins) {
            self.origins = Arc::clone(&before.origins);
            self.lists_as_before = true;
        }
        self.relisted = Some(difference.relisted);
        self
    }

    /// The releases that list other updates than in the earlier state, of those that both states
    /// have. None if nothing was compared.
    pub(crate) fn relisted(&self) -> Option<impl Iterator<Item = &Version>> {
        let relisted = self.relisted.as_ref()?;
        Some(relisted.iter().map(|node| &self.graph.release(*node).version))
    }

    /// The channels with a release that is supported in only one of two states.
    #[cfg(feature = "lsp")]
    fn channels_supported_otherwise(&self, before: &Supported) -> BTreeSet<ChannelId> {
        let mut surely_alike: BTreeMap<Minor, bool> = BTreeMap::new();
        let mut otherwise = BTreeSet::new();
        for release in self.graph.graph.node_weights() {
            let (minor, version) = (Minor::of(&release.version), &release.version);
            let alike = surely_alike.entry(minor);
            if *alike.or_insert_with(|| self.supported.is_surely_as(before, minor)) {
                continue;
            }
            let channels = release.channels.iter().filter(|channel| {
                let name = &self.graph.channels[**channel];
                self.supported.holds(name, version) != before.holds(name, version)
            });
            otherwise.extend(channels);
        }
        otherwise
    }

    #[cfg(feature = "lsp")]
    fn names(&self) -> &RiskNames {
        self.names.get_or_init(|| RiskNames::of(&self.graph))
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

    /// The origins that a target lists, oldest first.
    pub(super) fn listed_origins(&self, target: ReleaseId) -> &[Origin] {
        self.origins.of(target, &self.graph)
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
        let certain = offered.filter(|edge| edge.weight().knowledge != Knowledge::Uncertain);
        certain.map(|edge| &self.graph.release(edge.target()).version)
    }

    /// The releases that a release has updates to, or from, including conditional updates. For each,
    /// whether the update is certain.
    #[cfg(feature = "lsp")]
    pub(crate) fn neighbors_of(
        &self,
        release: &Version,
        direction: Direction,
    ) -> impl Iterator<Item = (&Version, bool)> {
        self.offered(release, direction).map(move |edge| {
            let other = match direction {
                Direction::Outgoing => edge.target(),
                Direction::Incoming => edge.source(),
            };
            let is_certain = edge.weight().knowledge != Knowledge::Uncertain;
            (&self.graph.release(other).version, is_certain)
        })
    }

    /// The updates of a release that no block removes.
    fn offered(
        &self,
        release: &Version,
        direction: Direction,
    ) -> impl Iterator<Item = EdgeReference<'_, Edge>> {
        let node = self.graph.nodes_of(release).next();
        let edges = node.map(|at| self.graph.graph.edges_directed(at, direction));
        let edges = edges.into_iter().flatten();
        edges.filter(|edge| self.graph.reason(edge.id()).state != State::Blocked)
    }
}
