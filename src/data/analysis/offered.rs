//! Which updates the service may offer to some cluster.

use petgraph::graph::NodeIndex;

use crate::domain::HashSet;
use crate::graph::{DoubleKind, ReasonId, UpdateGraph};

use super::risk_names::RiskNames;

/// Decides which updates no cluster takes, because clusters drop them or the whole answer.
#[derive(Debug)]
pub(crate) struct Offered<'n> {
    names: &'n RiskNames,
    dropped: HashSet<(NodeIndex, NodeIndex)>,
    /// Origins of conditional updates to a version that is not in the graph. Clusters on these
    /// releases reject the whole answer.
    rejecting: HashSet<NodeIndex>,
}

impl<'n> Offered<'n> {
    pub(crate) fn of(graph: &UpdateGraph, names: &'n RiskNames) -> Self {
        let twice = graph.doubles.iter().filter(|one| one.kind == DoubleKind::ConditionalTwice);
        Self {
            names,
            dropped: twice.map(|double| (double.from, double.to)).collect(),
            rejecting: graph.dangling.iter().map(|(from, _)| *from).collect(),
        }
    }

    pub(crate) fn holds(&self, from: NodeIndex, to: NodeIndex, reason: ReasonId) -> bool {
        !self.names.closes_for_all(reason)
            && !self.dropped.contains(&(from, to))
            && !self.rejecting.contains(&from)
    }
}
