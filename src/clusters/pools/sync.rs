//! One look of the operator at a pool, and what it writes.

use super::candidates::{candidates, defers_operator, first};
use super::cluster::{Cluster, Topology};
use super::look::{Choice, Note, PoolSync, WrittenStatus};
use super::max_unavailable::max_unavailable;
use super::membership::nodes_of;
use super::node::Node;
use super::pool::Pool;
use super::status::status;

/// What the operator does when it looks at a pool.
pub fn sync(cluster: &Cluster, pool: &str) -> PoolSync {
    let mut look = PoolSync {
        chosen: Vec::new(),
        is_ordered: true,
        tainted: Vec::new(),
        untainted: Vec::new(),
        events: Vec::new(),
        statuses: Vec::new(),
        error: None,
    };
    // A pool without a target was not rendered yet.
    if let Some(pool) = cluster.pool(pool).filter(|pool| !pool.target.is_empty()) {
        look.at(cluster, pool);
    }
    look
}

impl PoolSync {
    fn at(&mut self, cluster: &Cluster, pool: &Pool) {
        if pool.node_selector.is_empty() {
            self.events.push(Note::SelectingAll);
            return;
        }
        let nodes = nodes_of(cluster, pool);
        let arbiter = cluster.pool("arbiter").filter(|_| cluster.topology == Topology::Arbiter);
        let waits_for_masters =
            arbiter.is_some() && pool.name == "arbiter" && !may_update_alone(cluster);
        if pool.paused || waits_for_masters {
            self.write_status(cluster, pool, &nodes);
            return;
        }
        let max = match max_unavailable(&pool.name, pool.max_unavailable.as_ref(), nodes.len()) {
            Ok(max) => max,
            Err(error) => {
                self.error = Some(error);
                self.write_status(cluster, pool, &nodes);
                return;
            }
        };
        if let Some(arbiter) = arbiter.filter(|_| pool.name == "master") {
            self.at_both(cluster, pool, &nodes, max, arbiter);
        } else {
            self.taint(pool, &nodes);
            self.choose(cluster, pool, &nodes, max);
            self.write_status(cluster, pool, &nodes);
        }
    }

    /// Handles the pools of the control plane and of the arbiter together: only one of the two may
    /// have unavailable nodes at a time.
    fn at_both(
        &mut self,
        cluster: &Cluster,
        master: &Pool,
        masters: &[&Node],
        max: i64,
        arbiter: &Pool,
    ) {
        let arbiters = nodes_of(cluster, arbiter);
        self.taint(master, masters);
        if !arbiter.paused {
            self.taint(arbiter, &arbiters);
        }
        if arbiters.iter().all(|node| !node.is_unavailable()) {
            self.choose(cluster, master, masters, max);
        }
        self.write_status(cluster, master, masters);
        let is_free = self.chosen.is_empty() && masters.iter().all(|node| !node.is_unavailable());
        if is_free && !arbiter.paused {
            // The limit is that of the control plane. The operator ignores the arbiter's own limit.
            self.choose(cluster, arbiter, &arbiters, max);
        }
        self.write_status(cluster, arbiter, &arbiters);
    }

    /// Adds a taint to the nodes that still have to be told, so that fewer pods are scheduled on
    /// them, and removes it from the others.
    fn taint(&mut self, pool: &Pool, nodes: &[&Node]) {
        for node in nodes {
            // Image annotations are leftovers of image mode.
            let has_images = node.current_image.is_some() && node.desired_image.is_some();
            let is_told = node.desired_config.as_deref().unwrap_or_default() == pool.target;
            match (is_told && !has_images, node.has_update_taint) {
                (true, true) => self.untainted.push(node.name.clone()),
                (false, false) => self.tainted.push(node.name.clone()),
                _ => {}
            }
        }
    }

    fn choose(&mut self, cluster: &Cluster, pool: &Pool, nodes: &[&Node], max: i64) {
        let mut candidates = candidates(pool, nodes, max);
        if defers_operator(&pool.name, candidates.nodes.len()) {
            let operator = cluster.operator_node.as_ref();
            candidates.nodes.retain(|node| {
                let is_deferred = Some(&node.name) == operator;
                if is_deferred {
                    let node = node.name.clone();
                    self.events.push(Note::DeferringOperatorNode { node });
                }
                !is_deferred
            });
        }
        if candidates.nodes.is_empty() {
            return;
        }
        let (chosen, is_ordered) = first(candidates);
        let names: Vec<String> = chosen.iter().map(|node| node.name.clone()).collect();
        let config = &pool.target;
        let choice = |node: &String| Choice { node: node.clone(), config: config.clone() };
        self.chosen.extend(names.iter().map(choice));
        self.is_ordered &= is_ordered;
        self.events.push(Note::SetDesiredConfig { nodes: names, config: config.clone() });
    }

    fn write_status(&mut self, cluster: &Cluster, pool: &Pool, nodes: &[&Node]) {
        let status = status(pool, nodes, cluster.counts_machine_config_nodes());
        if status.completed != pool.completed {
            let (pool, config) = (pool.name.clone(), status.completed.clone());
            self.events.push(Note::Completed { pool, config });
        }
        let is_new = (&status.counts, &status.completed, &status.conditions)
            != (&pool.counts, &pool.completed, &pool.conditions);
        self.statuses.push(WrittenStatus { pool: pool.name.clone(), status, is_new });
    }
}

/// Whether the arbiter is updated on its own. Usually, it is updated together with the control
/// plane. While the control plane is paused, it is updated alone, unless a control-plane node is
/// unavailable.
fn may_update_alone(cluster: &Cluster) -> bool {
    cluster
        .pool("master")
        .filter(|master| master.paused)
        .is_some_and(|master| nodes_of(cluster, master).iter().all(|node| !node.is_unavailable()))
}
