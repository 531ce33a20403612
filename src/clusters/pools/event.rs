//! What happens to a node during an update.

use super::rollout::{MemberId, Start};

/// After this many seconds of failed attempts to drain it, a node is reported as degraded.
pub const HOUR: u64 = 60 * 60;

/// What happens to a node. Simultaneous events happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The node has the new config, and pods can be scheduled on it again.
    Back,
    /// The last pod has left the node. It applies the config, and reboots.
    Drained,
    /// The drain has failed for an hour. The attempts continue.
    Degraded,
    /// The operator chose the node. The node is cordoned, and its drain begins.
    Cordoned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// In seconds from the start.
    pub time: u64,
    pub what: What,
    pub node: MemberId,
}

/// The stage of a node in its update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStage {
    /// The node has the old config.
    Waiting,
    Draining,
    /// The node still drains. It counts twice: as unavailable because it is cordoned, and as
    /// failing.
    Degraded,
    Rebooting,
    Updated,
}

impl NodeStage {
    pub(super) fn start(start: Start) -> Self {
        if start == Start::Updated { Self::Updated } else { Self::Waiting }
    }

    pub(super) fn after(what: What) -> Self {
        match what {
            What::Cordoned => Self::Draining,
            What::Degraded => Self::Degraded,
            What::Drained => Self::Rebooting,
            What::Back => Self::Updated,
        }
    }
}
