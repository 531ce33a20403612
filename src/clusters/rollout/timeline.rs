//! A path, update by update: how long each takes, and how many times nodes reboot.

use crate::domain::Minor;
use crate::pools::{Plan, Refusal, Rollout, RunEnd, SplitMix64, Time, nearest_rank};
use crate::text::Failure;

use super::kubelet::ends_of_pauses;

/// What is known about a cluster before its updates.
#[derive(Debug)]
pub(crate) struct Journey {
    pub control_plane: Rollout,
    /// None if the control plane has the only nodes.
    pub workers: Option<Rollout>,
    /// How long the operator takes for the manifests of a release, without the nodes.
    pub manifests: Time,
    /// Whether the worker pool is paused as long as the age of its kubelets allows.
    pub is_paused: bool,
}

/// When the parts of one update begin and end, in seconds from the start of the first update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HopTimes {
    pub start: u64,
    /// When all manifests are applied, and nodes begin to update.
    pub applied: u64,
    pub control_plane: u64,
    /// When the workers begin and end. None if this update does not include them.
    pub workers: Option<(u64, u64)>,
}

/// When the updates of a path begin and end.
#[derive(Debug)]
pub(crate) struct Timeline {
    pub journey: Journey,
    /// The times if each duration is the middle of its range.
    pub hops: Vec<HopTimes>,
    pub reboots: Reboots,
    /// The times of many runs. None if all durations are fixed.
    pub many: Option<Many>,
}

/// How many times nodes reboot in all updates together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reboots {
    pub control_plane: usize,
    pub workers: usize,
}

/// Percentiles (nearest rank) of the total times of many runs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Many {
    pub runs: usize,
    pub seed: u64,
    pub p50: u64,
    pub p90: u64,
    pub p99: u64,
}

/// The number of runs, and the seed for the random times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    pub runs: usize,
    pub seed: u64,
}

impl Timeline {
    /// Simulates the updates of a path with these minor versions. The error says why that is
    /// impossible.
    pub(crate) fn of(minors: &[Minor], journey: Journey, runs: Runs) -> Result<Self, Failure> {
        let player = Player::of(&journey, minors)?;
        let hops = player.updates_workers.len();
        let times = player.play(Time::middle)?;
        let many = if player.is_random() { Some(player.many(runs)?) } else { None };
        let nodes = |rollout: &Rollout| rollout.members.len();
        let rounds = player.updates_workers.iter().filter(|updates| **updates).count();
        let reboots = Reboots {
            control_plane: nodes(&journey.control_plane) * hops,
            workers: journey.workers.as_ref().map_or(0, nodes) * rounds,
        };
        Ok(Self { hops: times, reboots, many, journey })
    }

    /// The end of the last update.
    pub(crate) fn end(&self) -> u64 {
        self.hops.last().map_or(0, HopTimes::end)
    }
}

impl HopTimes {
    /// The end of this update, with all nodes.
    pub(crate) fn end(&self) -> u64 {
        self.workers.map_or(self.control_plane, |(_, end)| end.max(self.control_plane))
    }
}

struct Player<'j> {
    journey: &'j Journey,
    /// For each update, whether it includes the workers.
    updates_workers: Vec<bool>,
    control_plane: Plan<'j>,
    workers: Option<Plan<'j>>,
}

impl<'j> Player<'j> {
    fn of(journey: &'j Journey, minors: &[Minor]) -> Result<Self, Failure> {
        let plan = |rollout: &'j Rollout| {
            Plan::of(rollout).map_err(|refusal: Refusal| refusal.to_string())
        };
        let mut updates_workers = ends_of_pauses(minors);
        if !journey.is_paused {
            updates_workers.fill(true);
        }
        Ok(Self {
            journey,
            updates_workers,
            control_plane: plan(&journey.control_plane)?,
            workers: journey.workers.as_ref().map(plan).transpose()?,
        })
    }

    fn is_random(&self) -> bool {
        matches!(self.journey.manifests, Time::Between(least, most) if least < most)
            || self.control_plane.is_random()
            || self.workers.as_ref().is_some_and(Plan::is_random)
    }

    /// The times of all updates. The next update begins when all nodes of the previous one are
    /// updated.
    fn play(&self, mut takes: impl FnMut(Time) -> u64) -> Result<Vec<HopTimes>, Failure> {
        let mut times: Vec<HopTimes> = Vec::new();
        for updates_workers in &self.updates_workers {
            let start = times.last().map_or(0, HopTimes::end);
            let applied = start + takes(self.journey.manifests);
            let control_plane = applied + total(&self.control_plane, &mut takes)?;
            let begin = if self.journey.is_paused { control_plane } else { applied };
            let workers = match &self.workers {
                Some(plan) if *updates_workers => Some((begin, begin + total(plan, &mut takes)?)),
                _ => None,
            };
            times.push(HopTimes { start, applied, control_plane, workers });
        }
        Ok(times)
    }

    fn many(&self, Runs { runs, seed }: Runs) -> Result<Many, Failure> {
        let mut random = SplitMix64::new(seed);
        let mut totals = Vec::new();
        for _ in 0..runs {
            let times = self.play(|time| random.draw(time))?;
            totals.push(times.last().map_or(0, HopTimes::end));
        }
        totals.sort_unstable();
        let at = |percent: usize| nearest_rank(&totals, runs, percent).unwrap_or(0);
        Ok(Many { runs, seed, p50: at(50), p90: at(90), p99: at(99) })
    }
}

fn total(plan: &Plan<'_>, takes: impl FnMut(Time) -> u64) -> Result<u64, Failure> {
    match plan.end(takes) {
        RunEnd::Updated(seconds) => Ok(seconds),
        RunEnd::Stuck(stuck) => Err(Failure::new(format!(
            "the pool {} gets stuck: {}",
            plan.rollout().pool,
            stuck.explain(plan)
        ))),
    }
}
