//! A repository beside the updates that its releases list.

use std::collections::HashMap;
use std::sync::OnceLock;

use petgraph::visit::EdgeRef;

use crate::graph::{Knowledge, UpdateGraph};
use crate::graph_data::{GraphData, ReleaseId};
use crate::lineage::Supported;
use crate::version::Version;

use super::losses::{Loss, losses};

/// What is known of the updates of a repository.
#[derive(Debug)]
pub struct Outlook {
    /// Its update graph.
    pub graph: UpdateGraph,
    /// Which releases are supported.
    pub supported: Supported,
    /// Whether what releases list is predicted.
    pub is_predicted: bool,
}

/// What a rule about updates looks at.
#[derive(Debug)]
pub struct Updates<'a> {
    /// The repository.
    pub data: &'a GraphData,
    /// What is known of its updates, where that was asked for.
    pub outlook: Option<&'a Outlook>,
    losses: OnceLock<Vec<Loss>>,
    origins: HashMap<ReleaseId, Vec<Origin>>,
}

/// A release that another may be updated from, whatever became of the update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The release.
    pub release: ReleaseId,
    /// Whether it is certain that there was ever such an update.
    pub is_certain: bool,
}

impl<'a> Updates<'a> {
    /// A repository and what is known of its updates.
    #[must_use]
    pub fn new(data: &'a GraphData, outlook: Option<&'a Outlook>) -> Self {
        let mut origins: HashMap<ReleaseId, Vec<Origin>> = HashMap::new();
        if let Some(Outlook { graph, .. }) = outlook {
            let release = |node| data.releases.find(&graph.release(node).version);
            let ids: Vec<Option<ReleaseId>> = graph.graph.node_indices().map(release).collect();
            let listed = graph.graph.edge_references().map(|edge| {
                let is_certain = edge.weight().knowledge != Knowledge::Uncertain;
                (edge.source(), edge.target(), is_certain)
            });
            let doubted = graph.doubted.iter().map(|(from, to)| (*from, *to, false));
            for (from, to, is_certain) in listed.chain(doubted) {
                if let Some((release, to)) = ids[from.index()].zip(ids[to.index()]) {
                    origins.entry(to).or_default().push(Origin { release, is_certain });
                }
            }
            for origins in origins.values_mut() {
                // Of a release that several architectures know, the certain one stays.
                origins.sort_unstable_by_key(|origin| (origin.release, !origin.is_certain));
                origins.dedup_by_key(|origin| origin.release);
            }
        }
        Self { data, outlook, losses: OnceLock::new(), origins }
    }

    /// The releases that are stranded once every conditional update is taken away.
    pub(super) fn losses(&self) -> &[Loss] {
        self.losses.get_or_init(|| self.outlook.map(losses).unwrap_or_default())
    }

    /// The releases that a target lists as those that it can be updated from, oldest first;
    /// none where nothing is known of that.
    #[must_use]
    pub fn listed(&self, target: &Version) -> Option<&[Origin]> {
        self.origins.get(&self.data.releases.find(target)?).map(Vec::as_slice)
    }

    /// The releases that a target can be updated from, as far as that is known: those that it
    /// lists, or else those that its version allows.
    #[must_use]
    pub fn origins_of(&self, target: &Version) -> Vec<Origin> {
        if let Some(listed) = self.listed(target) {
            return listed.to_vec();
        }
        let possible = self.data.releases.possible_origins(target);
        let possible = self.data.releases.in_range(possible);
        possible.map(|release| Origin { release, is_certain: true }).collect()
    }
}
