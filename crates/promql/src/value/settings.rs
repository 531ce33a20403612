//! When and how a query is asked.

use super::super::dialect::Dialect;

/// The most that an evaluation can cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of samples that it reads or makes, and of steps that it takes.
    pub samples: u64,
    /// The bytes of the labels that it makes.
    pub bytes: u64,
}

impl Limits {
    /// The limits of each of several evaluations, so that together they stay near the limits of
    /// one. A risk's query needs far less.
    pub fn shared_by(evaluations: usize) -> Self {
        let (all, count) = (Self::default(), evaluations.max(1) as u64);
        Self { samples: (all.samples / count).max(50_000), bytes: (all.bytes / count).max(1 << 20) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        // This allows about one second, and less memory than the update graph uses.
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
    /// How long a sample counts if no newer one follows, in milliseconds.
    pub lookback: i64,
    /// The step of subqueries that do not set one, in milliseconds.
    pub step: i64,
    /// What it can cost.
    pub limits: Limits,
}

impl Settings {
    /// The settings that clusters use, at a time in milliseconds since 1970.
    pub fn at(time: i64, dialect: Dialect) -> Self {
        // Clusters use the default lookback of 5 minutes, and evaluate rules every 30 seconds.
        Self { time, dialect, lookback: 300_000, step: 30_000, limits: Limits::default() }
    }
}
