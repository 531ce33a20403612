//! The status that the operator writes: five counts, and conditions.

use super::node::Node;
use super::pool::{Counts, Pool, PoolCondition};
use crate::go::quoted;

/// The status of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    pub counts: Counts,
    /// The last config that all nodes had.
    pub completed: String,
    pub conditions: Vec<PoolCondition>,
}

/// The status of a pool with these nodes.
///
/// `counts_machine_config_nodes` is the feature gate `ImageModeStatusReporting`. With it, a node
/// counts as updated or degraded if its MachineConfigNode says so.
pub fn status(pool: &Pool, nodes: &[&Node], counts_machine_config_nodes: bool) -> Status {
    let reports = Reports::of(pool, nodes);
    let mut counts = counts(&pool.target, nodes);
    if counts_machine_config_nodes {
        counts.updated = reports.updated;
        counts.degraded = reports.degraded.len();
    }
    let conditions = pool.conditions.clone();
    let mut status = Status { counts, completed: pool.completed.clone(), conditions };
    status.say_what_is_updated(pool);
    status.say_what_is_degraded(pool, &reports);
    status
}

/// The counts according to the nodes' annotations.
fn counts(target: &str, nodes: &[&Node]) -> Counts {
    let updated: Vec<&&Node> = nodes.iter().filter(|node| node.is_updated_to(target)).collect();
    Counts {
        machines: nodes.len(),
        ready: updated.iter().filter(|node| node.is_ready()).count(),
        updated: updated.len(),
        unavailable: nodes.iter().filter(|node| node.is_unavailable()).count(),
        degraded: nodes.iter().filter(|node| node.is_degraded()).count(),
    }
}

impl Status {
    fn say_what_is_updated(&mut self, pool: &Pool) {
        let Counts { machines, ready, updated, unavailable, .. } = self.counts;
        let target = &pool.target;
        if updated == machines && ready == machines && unavailable == 0 {
            let message = format!("All nodes are updated with MachineConfig {target}");
            self.set("Updated", true, "", message);
            self.set("Updating", false, "", String::new());
            self.completed.clone_from(target);
            return;
        }
        self.set("Updated", false, "", String::new());
        if pool.paused {
            let message = format!("Pool is paused; will not update to MachineConfig {target}");
            self.set("Updating", false, "", message);
        } else {
            let message = format!("All nodes are updating to MachineConfig {target}");
            self.set("Updating", true, "", message);
        }
    }

    fn say_what_is_degraded(&mut self, pool: &Pool, reports: &Reports<'_>) {
        let is_node_degraded = self.counts.degraded > 0;
        let message = if is_node_degraded { reports.messages() } else { String::new() };
        if is_node_degraded {
            // This number and the messages come from MachineConfigNodes, and the count may come
            // from annotations. So this number can be 0.
            let reporting = reports.degraded.len();
            let reason = format!("{reporting} nodes are reporting degraded status on sync");
            self.set("NodeDegraded", true, &reason, message.clone());
        } else {
            self.set("NodeDegraded", false, "", String::new());
        }
        if pool.is("ImageBuildDegraded") {
            let message = "No layered pool objects found, clearing stale build degraded condition";
            self.set("ImageBuildDegraded", false, "NoLayeredObjects", message.to_owned());
        }
        self.set("Degraded", is_node_degraded || pool.is("RenderDegraded"), "", message);
    }

    /// Sets a condition. A condition that changes moves to the end.
    fn set(&mut self, kind: &str, is_true: bool, reason: &str, message: String) {
        let condition = PoolCondition {
            kind: kind.to_owned(),
            status: if is_true { "True" } else { "False" }.to_owned(),
            reason: reason.to_owned(),
            message,
        };
        if !self.conditions.contains(&condition) {
            self.conditions.retain(|known| known.kind != kind);
            self.conditions.push(condition);
        }
    }
}

/// What the MachineConfigNodes of a pool report.
#[derive(Default)]
struct Reports<'n> {
    updated: usize,
    degraded: Vec<(&'n Node, &'n str)>,
}

impl<'n> Reports<'n> {
    fn of(pool: &Pool, nodes: &[&'n Node]) -> Self {
        let mut reports = Self::default();
        for node in nodes {
            let Some(object) = &node.machine_config_node else { continue };
            // The operator stops at the first MachineConfigNode that has no conditions yet.
            if object.conditions.is_empty() {
                break;
            }
            for condition in object.conditions.iter().filter(|c| c.status == "True") {
                match condition.kind.as_str() {
                    "NodeDegraded" => {
                        reports.degraded.push((*node, &condition.message));
                        break;
                    }
                    "Updated" if object.desired_config.as_ref() == Some(&pool.target) => {
                        reports.updated += 1;
                    }
                    _ => {}
                }
            }
        }
        reports
    }

    /// The messages of the MachineConfigNodes, and then the reasons in the annotations of the same
    /// nodes.
    fn messages(&self) -> String {
        let says =
            |node: &Node, text: &str| format!("Node {} is reporting: {}", node.name, quoted(text));
        let objects = self.degraded.iter().map(|(node, message)| says(node, message));
        let annotations = self.degraded.iter().filter_map(|(node, _)| {
            node.reason.as_deref().filter(|reason| !reason.is_empty()).map(|text| says(node, text))
        });
        objects.chain(annotations).collect::<Vec<String>>().join(", ")
    }
}
