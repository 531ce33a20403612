//! Why a rollout never ends.

use super::event::NodeStage;
use super::plan::Plan;
use super::rollout::{Drain, MemberId, PoolMember, Start};
use crate::text::words::{counted, listed};

/// A rollout that cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The time of the last event, in seconds from the start.
    pub since: u64,
    /// All nodes that are not updated or not available, in the order of the rollout.
    pub waits: Vec<Wait>,
    pub unavailable: usize,
    pub failing: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    pub node: MemberId,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A disruption budget always blocks its drain.
    Drain,
    /// Its drain waits until this node is back.
    BackOf(MemberId),
    /// Its update failed before the simulation.
    Failing,
    /// It has not started, because other nodes take all slots.
    Slot,
    /// It was unavailable from the start, and the update does not change that.
    Unavailable,
}

/// How many nodes are named for each reason.
const NAMED: usize = 3;

/// The nodes that are not updated or not available when the rollout cannot continue.
pub(super) fn waits(plan: &Plan<'_>, stages: &[NodeStage]) -> Vec<Wait> {
    let reason = |id: MemberId, member: &PoolMember, stage: NodeStage| match (&member.drain, stage)
    {
        (_, NodeStage::Updated) => None,
        _ if member.start == Start::Failing => Some(Reason::Failing),
        _ if member.is_unavailable => Some(Reason::Unavailable),
        (_, NodeStage::Waiting) => Some(Reason::Slot),
        (Drain::Never | Drain::Takes(_), _) => Some(Reason::Drain),
        (Drain::After(..), _) => {
            let blocker = plan.blockers.get(id.index()).copied().flatten();
            Some(blocker.map_or(Reason::Drain, Reason::BackOf))
        }
    };
    let nodes = plan.rollout.entries().zip(stages);
    nodes
        .filter_map(|((node, member), stage)| {
            reason(node, member, *stage).map(|reason| Wait { node, reason })
        })
        .collect()
}

impl Stuck {
    /// What each node waits for, in one line. Names are not escaped, so the caller must escape them
    /// before printing.
    pub fn explain(&self, plan: &Plan<'_>) -> String {
        let name = |id: MemberId| plan.rollout.name(id);
        let mut parts = Vec::new();
        let drains = self.nodes(plan, |reason| reason == Reason::Drain);
        if let Some(nodes) = drains {
            parts.push(format!("a disruption budget never allows the drain of {nodes}"));
        }
        let mut chains = self.waits.iter().filter_map(|wait| match wait.reason {
            Reason::BackOf(other) => Some((name(wait.node), name(other))),
            _ => None,
        });
        parts.extend(
            chains
                .by_ref()
                .take(NAMED)
                .map(|(node, other)| format!("the drain of {node} waits until {other} is back")),
        );
        match chains.count() {
            0 => {}
            more => parts.push(format!("{more} more drains wait for other nodes")),
        }
        if let Some(nodes) = self.nodes(plan, |reason| reason == Reason::Failing) {
            parts.push(format!("the update of {nodes} fails already"));
        }
        if let Some(nodes) = self.nodes(plan, |reason| reason == Reason::Unavailable) {
            parts.push(format!("nobody makes {nodes} available: cordoned, or not ready"));
        }
        if let Some(nodes) = self.nodes(plan, |reason| reason == Reason::Slot) {
            parts.push(format!("no slot is free for {nodes}: {}", self.slots(plan.max)));
        }
        parts.join("; ")
    }

    fn slots(&self, max: i64) -> String {
        if max < 0 {
            return format!("with maxUnavailable {max}, the operator never starts a node");
        }
        let verb = if self.unavailable == 1 { "is" } else { "are" };
        let away = format!("{} {verb} unavailable", counted(self.unavailable, "node"));
        match self.failing {
            0 => format!("maxUnavailable is {max}, and {away}"),
            1 => format!("maxUnavailable is {max}, {away}, and 1 failing node takes a slot, too"),
            many => {
                format!("maxUnavailable is {max}, {away}, and {many} failing nodes take slots, too")
            }
        }
    }

    /// The nodes that wait for a reason, as a list in words.
    fn nodes(&self, plan: &Plan<'_>, is: impl Fn(Reason) -> bool) -> Option<String> {
        let nodes = self.waits.iter().filter(|wait| is(wait.reason));
        let names: Vec<&str> = nodes.map(|wait| plan.rollout.name(wait.node)).collect();
        (!names.is_empty()).then(|| listed(&names, "and"))
    }
}
