//! The input of a simulation: nodes, their times, and what blocks their drains.

use crate::domain::ids;

use super::max_unavailable::MaxUnavailable;

ids! {
    /// A node of a rollout.
    MemberId;
}

/// A pool that is updated to another config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollout {
    pub pool: String,
    /// The config before the update.
    pub from: String,
    /// The config after the update.
    pub to: String,
    pub max_unavailable: Option<MaxUnavailable>,
    /// The node on which the operator itself runs. It matters only for the pool `master`.
    pub operator_node: Option<String>,
    pub members: Vec<PoolMember>,
}

/// A node of the pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolMember {
    pub name: String,
    /// None if it has no zone label, which is not the same as an empty one.
    pub zone: Option<String>,
    /// In seconds since 1970. None is before all others.
    pub created: Option<i64>,
    pub start: Start,
    /// Whether it is cordoned or not ready from the start. The update does not change that.
    pub is_unavailable: bool,
    pub drain: Drain,
    /// The time from the end of the drain until the node is back. In it, the node applies the
    /// config and reboots.
    pub reboot: Time,
}

/// How long it takes until all pods have left the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drain {
    Takes(Time),
    /// A disruption budget blocks the drain until this other node is back. Then the drain takes
    /// this long.
    After(String, Time),
    /// A disruption budget always blocks the drain.
    Never,
}

/// How long something takes, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    Fixed(u64),
    /// Any whole number of seconds from the first to the second, with equal probability.
    Between(u64, u64),
}

/// The state of a node before the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Waiting,
    /// The node has the new config.
    Updated,
    /// The update of the node has begun. The simulation assumes that it begins now.
    Begun,
    /// The update of the node failed. The simulation does not repair the node.
    Failing,
    /// The node does not have the config that it was told to have. So it takes a slot, but it can
    /// still be chosen.
    Unfinished,
}

impl PoolMember {
    /// Whether it takes a slot before it is chosen.
    pub(super) fn takes_a_slot(&self) -> bool {
        self.is_unavailable || self.start == Start::Unfinished
    }
}

impl Rollout {
    pub(super) fn takes_a_slot(&self, id: MemberId) -> bool {
        self.members.get(id.index()).is_some_and(PoolMember::takes_a_slot)
    }

    /// The nodes, with their ids.
    pub fn entries(&self) -> impl Iterator<Item = (MemberId, &PoolMember)> {
        self.members.iter().enumerate().map(|(i, member)| (MemberId::at(i), member))
    }

    /// The name of a node. It is not escaped.
    pub fn name(&self, id: MemberId) -> &str {
        self.members.get(id.index()).map_or("", |member| &member.name)
    }
}

impl Time {
    /// The middle of the range, rounded down.
    pub fn middle(self) -> u64 {
        match self {
            Self::Fixed(seconds) => seconds,
            Self::Between(least, most) => least.midpoint(most),
        }
    }
}

impl Default for Time {
    fn default() -> Self {
        Self::Fixed(0)
    }
}

impl Default for Drain {
    fn default() -> Self {
        Self::Takes(Time::default())
    }
}
