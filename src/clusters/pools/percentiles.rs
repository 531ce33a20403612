//! How long an update takes, measured in many runs with random times.

use super::plan::Plan;
use super::random::SplitMix64;
use super::refusal::Refusal;
use super::run::RunEnd;

/// The total times of many runs, in seconds.
///
/// The p-th percentile is by nearest rank: of `n` times in ascending order, the one with the rank
/// `⌈n · p / 100⌉`, counted from 1. Runs that get stuck come last. None if the run with
/// this rank gets stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percentiles {
    pub runs: usize,
    pub stuck: usize,
    pub min: Option<u64>,
    pub p50: Option<u64>,
    pub p90: Option<u64>,
    pub p99: Option<u64>,
    pub max: Option<u64>,
}

/// The time that this percentage of the runs does not exceed. `times` are those of the runs that
/// end, in ascending order.
pub(crate) fn nearest_rank(times: &[u64], runs: usize, percent: usize) -> Option<u64> {
    let rank = runs.saturating_mul(percent).div_ceil(100).max(1);
    times.get(rank - 1).copied()
}

/// Runs an update many times. Equal seeds give equal results on every machine.
pub fn percentiles(plan: &Plan<'_>, runs: usize, seed: u64) -> Result<Percentiles, Refusal> {
    if runs == 0 {
        return Err(Refusal::NoRuns);
    }
    let mut random = SplitMix64::new(seed);
    let mut totals = Vec::new();
    for _ in 0..runs {
        if let RunEnd::Updated(total) = plan.simulate(|time| random.draw(time), |_| {}) {
            totals.push(total);
        }
    }
    totals.sort_unstable();
    let at = |percent: usize| nearest_rank(&totals, runs, percent);
    Ok(Percentiles {
        runs,
        stuck: runs - totals.len(),
        min: totals.first().copied(),
        p50: at(50),
        p90: at(90),
        p99: at(99),
        max: at(100),
    })
}
