//! The input of rules about updates: a repository, and the updates that its releases list.

use std::sync::OnceLock;

use petgraph::Direction;
use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::analysis::{AffectingRisks, Goal, LARGEST_SET, Simulation, SimulationRequest};
use crate::domain::{Arch, Buckets, Named, Version, each_id};
use crate::graph::{ChannelId, Edge, Knowledge, Release, State, UpdateGraph};
use crate::graph_data::{Channel, GraphData, ReleaseId};
use crate::lineage::{ChannelAges, Supported};

/// After this many days in a channel, a release's entry counts as final: nobody will correct it.
const LONG_AGO: i64 = 90;

/// The update graph of a repository, and what depends on it.
#[derive(Debug)]
pub struct Outlook {
    /// The update graph of the repository.
    pub graph: UpdateGraph,
    /// Which releases are supported.
    pub supported: Supported,
    /// How long channels have had their releases.
    pub ages: ChannelAges,
}

impl Outlook {
    /// The simulation of the channels that clusters should use, without conditional updates.
    pub fn simulation(&self) -> Simulation<'_> {
        let request = SimulationRequest {
            channels: self.graph.advised_channels().collect(),
            // Rules report versions, which are the same for all architectures.
            architectures: vec![Arch::default()],
            affecting: AffectingRisks::default(),
            goals: Goal::ALL.to_vec(),
            largest_set: LARGEST_SET / 2,
            former: None,
        };
        let is_supported =
            |channel: &str, version: &Version| self.supported.holds(channel, version);
        Simulation::of(&self.graph, &request, &is_supported)
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

/// A repository, and its update graph if it is known.
#[derive(Debug)]
pub struct Updates<'a> {
    /// The repository.
    pub data: &'a GraphData,
    /// The update graph and what depends on it, if a rule needs them.
    pub outlook: Option<&'a Outlook>,
    origins: OnceLock<Buckets<ReleaseId, Origin>>,
}

/// A release from which a target lists, or may list, an update. The update may be blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The release.
    pub release: ReleaseId,
    /// Whether the update is certain to be listed.
    pub is_certain: bool,
}

impl<'a> Updates<'a> {
    /// A repository and what is known about its updates.
    pub fn new(data: &'a GraphData, outlook: Option<&'a Outlook>) -> Self {
        Self { data, outlook, origins: OnceLock::new() }
    }

    /// How many days a channel has had a release, if the history tells. `version` is as the
    /// channel's file writes it.
    pub fn days_in(&self, channel: &Channel, version: &str) -> Option<i64> {
        self.outlook?.ages.days(self.data.path(channel.file), version)
    }

    /// Whether a channel has had a release for so long that nobody will correct its entry.
    pub fn is_long_ago(&self, channel: &Channel, version: &str) -> bool {
        self.days_in(channel, version).is_some_and(|days| days > LONG_AGO)
    }

    /// The listed origins of each target.
    fn origins(&self) -> Buckets<ReleaseId, Origin> {
        let releases = &self.data.releases;
        let Some(Outlook { graph, .. }) = self.outlook else {
            return Buckets::of(releases.len(), std::iter::empty());
        };
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

    /// The releases that a target lists as its origins, oldest first; none if they are unknown.
    pub fn listed(&self, target: ReleaseId) -> Option<&[Origin]> {
        let origins = self.origins.get_or_init(|| self.origins()).get(target);
        (!origins.is_empty()).then_some(origins)
    }

    /// The origins that a target lists or, if these are unknown, those that its version allows.
    pub fn origins_of(&self, target: &Version) -> Vec<Origin> {
        let release = self.data.releases.find(target);
        if let Some(listed) = release.and_then(|release| self.listed(release)) {
            return listed.to_vec();
        }
        let possible = self.data.releases.possible_origins(target);
        let possible = each_id(possible);
        possible.map(|release| Origin { release, is_certain: true }).collect()
    }
}
