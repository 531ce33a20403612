//! The origins that targets list, each found when a rule asks for them.

use std::sync::{Arc, OnceLock};

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::{Arena, HashMap};
use crate::graph::{Knowledge, UpdateGraph};
use crate::graph_data::{ReleaseId, Releases};

/// A release from which a target lists, or may list, an update. The update may be blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The release.
    pub release: ReleaseId,
    /// Whether the update is certain to be listed.
    pub is_certain: bool,
}

/// The listed origins of the targets that rules have asked for. All states with the same releases
/// and listed updates can share them.
#[derive(Debug)]
pub(super) struct ListedOrigins {
    releases: Arc<Releases>,
    of_target: Arena<ReleaseId, OnceLock<Vec<Origin>>>,
    /// The origins of updates that probably do not exist, by target.
    unlikely: OnceLock<HashMap<NodeIndex, Vec<NodeIndex>>>,
    /// The release of each node, if a channel has it.
    of_node: OnceLock<Vec<Option<ReleaseId>>>,
}

impl ListedOrigins {
    pub(super) fn new(releases: &Arc<Releases>) -> Self {
        Self {
            of_target: releases.iter().map(|_| OnceLock::new()).collect(),
            releases: Arc::clone(releases),
            unlikely: OnceLock::new(),
            of_node: OnceLock::new(),
        }
    }

    #[cfg(feature = "lsp")]
    pub(super) fn are_about_releases_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.releases, &other.releases)
    }

    /// The listed origins of a target, oldest first.
    pub(super) fn of(&self, target: ReleaseId, graph: &UpdateGraph) -> &[Origin] {
        self.of_target[target].get_or_init(|| {
            let version = &self.releases.get(target).version;
            let nodes = graph.nodes_of(version);
            let mut origins: Vec<Origin> =
                nodes.flat_map(|node| self.to_node(node, graph)).collect();
            // If architectures differ in what is certain, the certain origin counts.
            origins.sort_unstable_by_key(|origin| (origin.release, !origin.is_certain));
            origins.dedup_by_key(|origin| origin.release);
            origins
        })
    }

    fn to_node(&self, node: NodeIndex, graph: &UpdateGraph) -> impl Iterator<Item = Origin> {
        let listed = graph.graph.edges_directed(node, Direction::Incoming);
        let listed =
            listed.map(|edge| (edge.source(), edge.weight().knowledge != Knowledge::Uncertain));
        let unlikely = self.unlikely_to(graph).get(&node).into_iter().flatten();
        let all = listed.chain(unlikely.map(|from| (*from, false)));
        let releases = self.of_node.get_or_init(|| {
            let nodes = graph.graph.node_weights();
            self.releases.find_each(nodes.map(|release| &release.version)).collect()
        });
        all.filter_map(|(from, is_certain)| {
            Some(Origin { release: releases[from.index()]?, is_certain })
        })
    }

    fn unlikely_to(&self, graph: &UpdateGraph) -> &HashMap<NodeIndex, Vec<NodeIndex>> {
        self.unlikely.get_or_init(|| {
            let mut by_target: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::default();
            for (from, to) in &graph.unlikely {
                by_target.entry(*to).or_default().push(*from);
            }
            by_target
        })
    }
}
