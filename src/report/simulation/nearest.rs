//! The nearest exits of stranded releases, each channel looked at once.

use std::collections::HashMap;

use crate::analysis::{Door, Doors, Goal, Simulated, Simulation, Stranded};

/// Looks for the nearest exits, until that has been work enough.
pub(super) struct Nearest<'r> {
    simulation: &'r Simulation<'r>,
    known: HashMap<Key, Doors<'r>>,
    left: usize,
}

/// A channel and its architecture, and a goal: of `patch`, that of a minor.
type Key = (u32, String, Goal, Option<(u64, u64)>);

/// So many updates are looked at.
const STEPS: usize = 50_000_000;
/// So many exits are told.
const EXITS: usize = 5;

impl<'r> Nearest<'r> {
    pub(super) fn of(simulation: &'r Simulation<'r>) -> Self {
        Self { simulation, known: HashMap::new(), left: STEPS }
    }

    /// The nearest exits of a release; none where there is too much to look for.
    pub(super) fn to(&mut self, channel: &'r Simulated, one: &Stranded) -> Option<Vec<Door>> {
        self.left = self.left.checked_sub(channel.open + channel.conditional + 1)?;
        let minor = channel.ways.minors[one.release];
        let arch = channel.architectures.first().cloned().unwrap_or_default();
        let own = (one.goal == Goal::Patch).then_some(minor);
        let doors = self.known.entry((channel.channel.0, arch, one.goal, own));
        let doors = doors
            .or_insert_with(|| Doors::of(self.simulation, channel, one.goal, minor))
            .near(one.release);
        Some(doors.into_iter().take(EXITS).collect())
    }
}
