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
    /// As written. None is 1.
    pub max_unavailable: Option<MaxUnavailable>,
    /// The config that its nodes should have.
    pub target: String,
    /// The config that all of its nodes had last.
    pub completed: String,
    pub counts: Counts,
    pub conditions: Vec<Condition>,
}

/// How many nodes of a pool are what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub machines: usize,
    /// Updated, and work can be scheduled on them.
    pub ready: usize,
    pub updated: usize,
    pub unavailable: usize,
    pub degraded: usize,
}

/// A condition of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
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
