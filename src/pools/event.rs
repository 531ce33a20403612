//! What happens to a node during an update.

use super::rollout::{MemberId, Start};

/// After so many seconds of failed attempts to drain, a node is reported degraded.
pub const HOUR: u64 = 60 * 60;

/// What happens to a node. Those that happen at once happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// It has the new config, and takes work again.
    Back,
    /// The last pod has left. It applies the config, and reboots.
    Drained,
    /// The drain failed for an hour. Attempts go on.
    Degraded,
    /// The operator chose it. It is cordoned, and its drain begins.
    Cordoned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// In seconds from the start.
    pub time: u64,
    pub what: What,
    pub node: MemberId,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has the old config.
    Waiting,
    Draining,
    /// It still drains, and counts twice: as cordoned and as failing.
    Degraded,
    Rebooting,
    Updated,
}

impl Stage {
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
