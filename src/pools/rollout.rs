//! What a simulated update starts from: nodes, their times, and what blocks their drains.

use super::max_unavailable::MaxUnavailable;
use crate::domain::ids;

ids! {
    /// A node of a rollout.
    MemberId;
}

/// A pool that is told to update.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollout {
    pub pool: String,
    /// The config that it has.
    pub from: String,
    /// The config that it gets.
    pub to: String,
    pub max_unavailable: Option<MaxUnavailable>,
    /// The node that the operator itself runs on. It matters for the pool `master` only.
    pub operator_node: Option<String>,
    pub members: Vec<Member>,
}

/// A node of the pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    /// None if it has no label for it, which differs from an empty one.
    pub zone: Option<String>,
    /// In seconds since 1970. None is before all others.
    pub created: Option<i64>,
    pub start: Start,
    /// Cordoned or not ready, from the start on, until somebody does something.
    pub is_unavailable: bool,
    pub drain: Drain,
    /// From the end of the drain until the node is back: it applies the config, and reboots.
    pub reboot: Time,
}

/// How long it takes until all pods have left a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drain {
    Takes(Time),
    /// A disruption budget does not allow it before another node is back. Then it takes this long.
    After(String, Time),
    /// A disruption budget never allows it.
    Never,
}

/// How long something takes, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    Fixed(u64),
    /// Any number of whole seconds from the first to the second, each as likely as another.
    Between(u64, u64),
}

/// Where a node is before anything happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Waiting,
    /// It has the new config.
    Updated,
    /// Its update has begun. It counts as if it began now.
    Begun,
    /// Its update failed, and nobody repairs it.
    Failing,
    /// It does not have the config that it was told to have. So it takes a slot, and can be chosen.
    Unfinished,
}

impl Member {
    /// Whether it is unavailable before it is chosen.
    pub(super) fn takes_a_slot(&self) -> bool {
        self.is_unavailable || self.start == Start::Unfinished
    }
}

impl Rollout {
    pub(super) fn takes_a_slot(&self, id: MemberId) -> bool {
        self.members.get(id.index()).is_some_and(Member::takes_a_slot)
    }

    /// The nodes, with their ids.
    pub fn entries(&self) -> impl Iterator<Item = (MemberId, &Member)> {
        self.members.iter().enumerate().map(|(i, member)| (MemberId::at(i), member))
    }

    /// The name of a node, as given. It can have any character.
    pub fn name(&self, id: MemberId) -> &str {
        self.members.get(id.index()).map_or("", |member| &member.name)
    }
}

impl Time {
    /// The middle of what is possible, rounded down.
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
