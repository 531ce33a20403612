//! The updates of a graph that some cluster may be offered.

use std::collections::HashSet;

use petgraph::graph::NodeIndex;

use crate::graph::{DoubleKind, ReasonId, UpdateGraph};

use super::risk_names::RiskNames;

/// The updates of a graph that clusters drop, whatever their risks: the others, unless they are
/// blocked, are offered to some cluster.
#[derive(Debug)]
pub(crate) struct Offered<'n> {
    names: &'n RiskNames,
    dropped: HashSet<(NodeIndex, NodeIndex)>,
    /// A cluster that finds no release for a conditional update takes nothing of the answer.
    stuck: HashSet<NodeIndex>,
}

impl<'n> Offered<'n> {
    /// The updates that clusters drop.
    #[must_use]
    pub(crate) fn of(graph: &UpdateGraph, names: &'n RiskNames) -> Self {
        let twice = graph.doubles.iter().filter(|one| one.kind == DoubleKind::ConditionalTwice);
        Self {
            names,
            dropped: twice.map(|double| (double.from, double.to)).collect(),
            stuck: graph.dangling.iter().map(|(from, _)| *from).collect(),
        }
    }

    /// Whether some cluster may be offered an update.
    #[must_use]
    pub(crate) fn holds(&self, from: NodeIndex, to: NodeIndex, reason: ReasonId) -> bool {
        !self.names.closes_for_all(reason)
            && !self.dropped.contains(&(from, to))
            && !self.stuck.contains(&from)
    }
}
