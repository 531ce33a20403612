//! The nearest exits of stranded releases, each channel looked at once.

use std::collections::HashMap;

use crate::analysis::{Goal, NearExit, NearExits, SimulatedChannel, Simulation, Stranded};
use crate::domain::{Arch, Minor};
use crate::graph::ChannelId;

/// Looks for the nearest exits, until that has been work enough.
pub(super) struct Nearest<'r> {
    simulation: &'r Simulation<'r>,
    known: HashMap<Key, NearExits<'r>>,
    left: usize,
}

/// A channel and its architecture, and a goal: of `patch`, that of a minor.
type Key = (ChannelId, Arch, Goal, Option<Minor>);

/// So many updates are looked at.
const STEPS: usize = 50_000_000;
/// So many exits are told.
const EXITS: usize = 5;

impl<'r> Nearest<'r> {
    pub(super) fn of(simulation: &'r Simulation<'r>) -> Self {
        Self { simulation, known: HashMap::new(), left: STEPS }
    }

    /// The nearest exits of a release; none where there is too much to look for.
    pub(super) fn to(
        &mut self,
        channel: &'r SimulatedChannel,
        one: &Stranded,
    ) -> Option<Vec<NearExit>> {
        self.left = self.left.checked_sub(channel.open + channel.conditional + 1)?;
        let minor = channel.graph.members[one.release].minor;
        let arch = channel.architectures.iter().next().unwrap_or_default();
        let own = (one.goal == Goal::Patch).then_some(minor);
        let exits = self.known.entry((channel.channel, arch, one.goal, own));
        let exits = exits
            .or_insert_with(|| NearExits::of(self.simulation, channel, one.goal, minor))
            .near(one.release);
        Some(exits.into_iter().take(EXITS).collect())
    }
}
