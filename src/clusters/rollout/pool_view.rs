//! The progress of a pool's update, from the objects of a cluster.

use crate::go;
use crate::pools::{
    Node, Pool, Status, candidates, custom_pools, endangers_etcd, max_unavailable, nodes_of,
    pool_of, status, sync,
};

use super::objects::Objects;

/// The progress of a pool's update.
#[derive(Debug)]
pub(crate) struct PoolView<'o> {
    pub pool: &'o Pool,
    /// Computed from the nodes. Without nodes, the status of the pool.
    pub status: Status,
    /// In seconds.
    pub age: u64,
    /// None if the objects have no nodes.
    pub nodes: Option<PoolNodes<'o>>,
}

/// The nodes of a pool.
#[derive(Debug)]
pub(crate) struct PoolNodes<'o> {
    /// The nodes that are not available, or whose update fails, and what each does.
    pub busy: Vec<(&'o Node, Doing)>,
    /// The nodes that the operator will tell to update next.
    pub next: Vec<String>,
    /// How many nodes may be unavailable. The error is the operator's message.
    pub max: Result<i64, go::Error>,
    /// Whether etcd would stop if this many nodes were unavailable.
    pub endangers_etcd: bool,
    /// How many more nodes can be told to update now.
    pub slots: usize,
}

/// What an unavailable node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It gets the current config of the pool.
    Updates,
    /// It was told to have a config other than the current one.
    UpdatesToOlder,
    /// The operator has not told it anything.
    Unknown,
    Fails,
    Cordoned,
    NotReady,
}

impl<'o> PoolView<'o> {
    pub(crate) fn all(objects: &'o Objects) -> Vec<Self> {
        let mut views: Vec<Self> =
            objects.cluster.pools.iter().map(|pool| Self::of(objects, pool)).collect();
        views.sort_by(|a, b| a.pool.name.cmp(&b.pool.name));
        views
    }

    fn of(objects: &'o Objects, pool: &'o Pool) -> Self {
        let age = objects.age(&pool.name);
        if !objects.has_nodes {
            let status = Status {
                counts: pool.counts,
                completed: pool.completed.clone(),
                conditions: pool.conditions.clone(),
            };
            return Self { pool, status, age, nodes: None };
        }
        let nodes = nodes_of(&objects.cluster, pool);
        let max = max_unavailable(&pool.name, pool.max_unavailable.as_ref(), nodes.len());
        let is_own = |name: &String| nodes.iter().any(|node| node.name == *name);
        // The operator updates the arbiter when it looks at the control plane.
        let looked_at =
            if objects.has_arbiter() && pool.name == "arbiter" { "master" } else { &pool.name };
        let chosen = sync(&objects.cluster, looked_at).chosen.into_iter();
        let endangers_etcd =
            max.as_ref().is_ok_and(|max| endangers_etcd(&pool.name, *max, nodes.len()));
        let slots = max.as_ref().map_or(0, |max| candidates(pool, &nodes, *max).capacity);
        let view = PoolNodes {
            busy: nodes.iter().filter_map(|node| Some((*node, doing(pool, node)?))).collect(),
            next: chosen.map(|choice| choice.node).filter(is_own).collect(),
            max,
            endangers_etcd,
            slots,
        };
        Self { pool, status: status(pool, &nodes, false), age, nodes: Some(view) }
    }

    /// Whether nodes are still going to be updated.
    pub(crate) fn is_updating(&self) -> bool {
        !self.pool.paused && !self.is("Updated")
    }

    /// Why the update of the cluster cannot end without a manual step.
    pub(crate) fn hold(&self) -> Option<&'static str> {
        if self.is("Degraded") {
            Some("it is degraded, so the update of the cluster does not end")
        } else if self.pool.paused && self.pool.name == "master" && !self.is("Updated") {
            Some("it is paused, so the update of the cluster does not end")
        } else {
            None
        }
    }

    fn is(&self, kind: &str) -> bool {
        let condition = self.status.conditions.iter().find(|condition| condition.kind == kind);
        condition.is_some_and(|condition| condition.status == "True")
    }
}

fn doing(pool: &Pool, node: &Node) -> Option<Doing> {
    if node.is_failing() || node.is_degraded() {
        Some(Doing::Fails)
    } else if !node.is_unavailable() {
        None
    } else if node.current_config.is_none() || node.desired_config.is_none() {
        Some(Doing::Unknown)
    } else if !node.is_done() {
        let is_told = node.is_told(&pool.target);
        Some(if is_told { Doing::Updates } else { Doing::UpdatesToOlder })
    } else if node.unschedulable {
        Some(Doing::Cordoned)
    } else {
        Some(Doing::NotReady)
    }
}

/// The nodes that several custom pools select. The operator ignores them.
pub(crate) fn disputed(objects: &Objects) -> Vec<(&Node, Vec<&Pool>)> {
    let pools = &objects.cluster.pools;
    let nodes = objects.cluster.nodes.iter().filter(|node| pool_of(pools, node).is_err());
    nodes.map(|node| (node, custom_pools(pools, node))).collect()
}
