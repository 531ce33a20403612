//! Decides what is due: asking the update service again, only evaluating again, or nothing.

use std::collections::BTreeSet;

use super::retrieval::Origin;
use super::{Memory, Settings};

/// After this long without success, the operator forgets its updates. In milliseconds.
const FORGOTTEN: i64 = 24 * 3_600_000;

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// Nothing is due.
    Fresh,
    /// Evaluate the risks of the known updates.
    Evaluate,
    /// Ask the update service.
    Retrieve {
        /// Whether the operator keeps the updates that it knows if the request fails.
        keeps: bool,
    },
}

impl Freshness {
    pub(super) fn of(
        memory: Option<&Memory>,
        settings: &Settings,
        origin: &Origin,
        accepted: &BTreeSet<String>,
        now: i64,
    ) -> Self {
        let Some(memory) = memory else { return Self::Retrieve { keeps: false } };
        let known = &memory.retrieval;
        let is_other = known.origin.channel != origin.channel
            || known.origin.architecture != origin.architecture;
        if is_other || now - known.succeeded > FORGOTTEN {
            Self::Retrieve { keeps: false }
        } else if now - known.attempted > settings.check_interval {
            Self::Retrieve { keeps: true }
        } else if known.origin.service != origin.service {
            Self::Retrieve { keeps: false }
        } else if memory.evaluation.is_unfinished() || memory.accepted != *accepted {
            Self::Evaluate
        } else {
            Self::Fresh
        }
    }
}
