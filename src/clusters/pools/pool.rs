//! Machine config pools.

use std::collections::BTreeMap;

use super::max_unavailable::MaxUnavailable;

/// A pool: what its spec asks for, and what its status has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    pub name: String,
    /// The labels that its nodes have.
    pub node_selector: BTreeMap<String, String>,
    pub paused: bool,
    /// The value as written. None means 1.
    pub max_unavailable: Option<MaxUnavailable>,
    /// The config that its nodes should have.
    pub target: String,
    /// The last config that all of its nodes had.
    pub completed: String,
    pub counts: Counts,
    pub conditions: Vec<PoolCondition>,
}

/// The counts of a pool's nodes by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub machines: usize,
    /// Nodes that are updated, and on which pods can be scheduled.
    pub ready: usize,
    pub updated: usize,
    pub unavailable: usize,
    pub degraded: usize,
}

/// A condition of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolCondition {
    pub kind: String,
    pub status: String,
    pub reason: String,
    pub message: String,
}

impl Pool {
    /// Whether a condition is true.
    pub fn is(&self, kind: &str) -> bool {
        self.conditions.iter().any(|c| c.kind == kind && c.status == "True")
    }
}
