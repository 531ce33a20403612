//! Finds the nearest exits of stranded releases, and keeps the result of each channel.

use crate::analysis::{Goal, NearExit, NearExits, SimulatedChannel, Simulation, Stranded};
use crate::domain::{Arch, HashMap, Minor};
use crate::graph::ChannelId;

/// Finds nearest exits until a limit of work is reached.
pub(super) struct NearestExits<'r> {
    simulation: &'r Simulation<'r>,
    known: HashMap<SearchKey, NearExits<'r>>,
    steps_left: usize,
}

/// The key of a search. The minor is that of the stranded release, and only present for the goal
/// `patch`.
type SearchKey = (ChannelId, Arch, Goal, Option<Minor>);

/// The most updates to visit, in all channels together.
const MOST_STEPS: usize = 50_000_000;
/// The most exits for each release.
const MOST_EXITS: usize = 5;

impl<'r> NearestExits<'r> {
    pub(super) fn of(simulation: &'r Simulation<'r>) -> Self {
        Self { simulation, known: HashMap::default(), steps_left: MOST_STEPS }
    }

    /// The nearest exits of a release. None if the limit of work is reached.
    pub(super) fn of_release(
        &mut self,
        channel: &'r SimulatedChannel,
        one: &Stranded,
    ) -> Option<Vec<NearExit>> {
        self.steps_left = self.steps_left.checked_sub(channel.open + channel.conditional + 1)?;
        let minor = channel.graph.members[one.release].minor;
        let arch = channel.architectures.iter().next().unwrap_or_default();
        let own = (one.goal == Goal::Patch).then_some(minor);
        let exits = self.known.entry((channel.channel, arch, one.goal, own));
        let exits = exits
            .or_insert_with(|| NearExits::of(self.simulation, channel, one.goal, minor))
            .near(one.release);
        Some(exits.into_iter().take(MOST_EXITS).collect())
    }
}
