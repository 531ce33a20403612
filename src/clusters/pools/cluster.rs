//! Everything that the operator sees at once.

use std::collections::BTreeSet;

use super::node::Node;
use super::pool::Pool;

/// The pools and the nodes of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    pub topology: Topology,
    pub pools: Vec<Pool>,
    /// In the real operator, the order is random.
    pub nodes: Vec<Node>,
    /// The node on which the operator itself runs. None if it does not run.
    pub operator_node: Option<String>,
    /// The feature gates that are on.
    pub feature_gates: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Two control-plane nodes with data, and an arbiter node without data.
    Arbiter,
    #[default]
    Other,
}

impl Cluster {
    pub fn pool(&self, name: &str) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.name == name)
    }

    /// Whether updated nodes are counted by their MachineConfigNode.
    pub(super) fn counts_machine_config_nodes(&self) -> bool {
        self.feature_gates.contains("ImageModeStatusReporting")
    }
}
