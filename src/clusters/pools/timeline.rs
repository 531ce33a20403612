//! The five counts of a pool over time.

use std::collections::BTreeSet;

use super::event::What;
use super::moment::Moment;
use super::pool::Counts;
use super::rollout::{MemberId, Start};
use super::run::Run;

/// The counts after all events at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// In seconds from the start.
    pub time: u64,
    pub counts: Counts,
}

impl Run<'_> {
    /// The counts after each time with events. They equal those of `at`, but take only one pass.
    pub fn tallies(&self) -> Vec<Tally> {
        let mut counts = Moment::start(self.plan).counts();
        let rollout = self.plan.rollout;
        let failing = rollout.entries().filter(|(_, member)| member.start == Start::Failing);
        let mut degraded: BTreeSet<MemberId> = failing.map(|(id, _)| id).collect();
        let mut tallies: Vec<Tally> = Vec::new();
        for event in &self.events {
            match event.what {
                What::Cordoned => {
                    let is_new = !rollout.takes_a_slot(event.node);
                    counts.unavailable += usize::from(is_new);
                }
                What::Degraded => {
                    degraded.insert(event.node);
                }
                What::Drained => {
                    degraded.remove(&event.node);
                }
                What::Back => {
                    counts.unavailable -= 1;
                    counts.updated += 1;
                    counts.ready += 1;
                }
            }
            counts.degraded = degraded.len();
            let tally = Tally { time: event.time, counts };
            match tallies.last_mut().filter(|last| last.time == event.time) {
                Some(last) => *last = tally,
                None => tallies.push(tally),
            }
        }
        tallies
    }
}
