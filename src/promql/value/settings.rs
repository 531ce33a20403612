//! When and how a query is asked.

use super::super::dialect::Dialect;

/// What an evaluation can cost before it is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The samples that are read or made, and the steps that are taken.
    pub samples: u64,
    /// The bytes of the labels that are made.
    pub bytes: u64,
}

impl Limits {
    /// What each of several evaluations can cost, so that all together stay near the limit of one. A
    /// risk's query takes far less.
    pub fn shared_by(evaluations: usize) -> Self {
        let (all, count) = (Self::default(), evaluations.max(1) as u64);
        Self { samples: (all.samples / count).max(50_000), bytes: (all.bytes / count).max(1 << 20) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        // About a second, and less memory than the update graph takes.
        Self { samples: 20_000_000, bytes: 64 << 20 }
    }
}

/// When and how a query is asked.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The time of the query, in milliseconds since 1970.
    pub time: i64,
    /// The version of Prometheus.
    pub dialect: Dialect,
    /// How long a sample without a successor counts, in milliseconds.
    pub lookback: i64,
    /// The step of subqueries without one, in milliseconds.
    pub step: i64,
    /// What it can cost.
    pub limits: Limits,
}

impl Settings {
    /// How clusters ask at a time, in milliseconds since 1970.
    pub fn at(time: i64, dialect: Dialect) -> Self {
        // Clusters leave the lookback at 5 minutes, and evaluate rules every 30 seconds.
        Self { time, dialect, lookback: 300_000, step: 30_000, limits: Limits::default() }
    }
}
