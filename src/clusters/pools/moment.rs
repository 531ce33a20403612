//! All nodes of an update at one moment, as the operator sees them.

use std::collections::BTreeMap;

use super::candidates::ZONE;
use super::event::NodeStage;
use super::node::{MachineConfigNode, Node, NodeCondition};
use super::plan::Plan;
use super::pool::{Counts, Pool};
use super::rollout::{PoolMember, Rollout, Start};
use super::run::Run;
use super::status::{Status, status};

/// The state of a run after all events at one time.
#[derive(Clone, Debug)]
pub struct Moment<'p> {
    rollout: &'p Rollout,
    stages: Vec<NodeStage>,
}

impl<'p> Run<'p> {
    /// The state after all events up to and at this time.
    pub fn at(&self, time: u64) -> Moment<'p> {
        let mut moment = Moment::start(self.plan);
        let past = self.events.iter().take_while(|event| event.time <= time);
        for event in past {
            if let Some(stage) = moment.stages.get_mut(event.node.index()) {
                *stage = NodeStage::after(event.what);
            }
        }
        moment
    }
}

impl<'p> Moment<'p> {
    /// The state before the first event.
    pub fn start(plan: &'p Plan<'p>) -> Self {
        let members = &plan.rollout.members;
        let stages = members.iter().map(|member| NodeStage::start(member.start)).collect();
        Self { rollout: plan.rollout, stages }
    }

    /// The nodes as the operator sees them.
    pub fn nodes(&self) -> Vec<Node> {
        let members = self.rollout.members.iter().zip(&self.stages);
        members.map(|(member, stage)| node(self.rollout, member, *stage)).collect()
    }

    /// The pool as the operator sees it before it writes a status.
    pub fn pool(&self) -> Pool {
        Pool {
            name: self.rollout.pool.clone(),
            node_selector: role(&self.rollout.pool),
            max_unavailable: self.rollout.max_unavailable.clone(),
            target: self.rollout.to.clone(),
            completed: self.rollout.from.clone(),
            ..Pool::default()
        }
    }

    /// The status that the operator writes.
    pub fn status(&self) -> Status {
        let nodes = self.nodes();
        status(&self.pool(), &nodes.iter().collect::<Vec<&Node>>(), false)
    }

    pub fn counts(&self) -> Counts {
        self.status().counts
    }
}

fn role(pool: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(format!("node-role.kubernetes.io/{pool}"), String::new())])
}

fn node(rollout: &Rollout, member: &PoolMember, stage: NodeStage) -> Node {
    let mut labels = role(&rollout.pool);
    labels.extend(member.zone.clone().map(|zone| (ZONE.to_owned(), zone)));
    let is_failing = stage == NodeStage::Waiting && member.start == Start::Failing;
    let is_told = is_failing || stage != NodeStage::Waiting;
    let (annotation, ready) = match stage {
        NodeStage::Waiting if is_failing => ("Degraded", "True"),
        NodeStage::Waiting if member.start == Start::Unfinished => ("Working", "True"),
        NodeStage::Waiting | NodeStage::Updated => ("Done", "True"),
        NodeStage::Draining => ("Working", "True"),
        NodeStage::Degraded => ("Degraded", "True"),
        NodeStage::Rebooting => ("Rebooting", "Unknown"),
    };
    let config = |is_new: bool| Some(if is_new { &rollout.to } else { &rollout.from }.clone());
    let failure = match stage {
        NodeStage::Degraded => Some(format!("failed to drain node: {} after 1 hour", member.name)),
        _ if is_failing => Some("the update failed".to_owned()),
        _ => None,
    };
    Node {
        name: member.name.clone(),
        labels,
        created: member.created,
        unschedulable: member.is_unavailable
            || matches!(stage, NodeStage::Draining | NodeStage::Degraded | NodeStage::Rebooting),
        conditions: BTreeMap::from([("Ready".to_owned(), ready.to_owned())]),
        has_update_taint: !is_told,
        current_config: config(stage == NodeStage::Updated),
        desired_config: config(is_told),
        state: Some(annotation.to_owned()),
        reason: failure.clone(),
        machine_config_node: Some(MachineConfigNode {
            conditions: vec![NodeCondition {
                kind: "NodeDegraded".to_owned(),
                status: if failure.is_some() { "True" } else { "False" }.to_owned(),
                message: failure.unwrap_or_default(),
            }],
            desired_config: config(is_told),
        }),
        ..Node::default()
    }
}
