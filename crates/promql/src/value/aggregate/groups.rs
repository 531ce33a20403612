//! What an aggregation keeps for one group.

use super::super::super::dialect::Dialect;
use super::super::super::syntax::Aggregator;
use super::super::kahan::{Mean, Sum};
use super::super::pool::{Sample, Vector};
use super::super::quantile::quantile;
use super::heap::Best;

/// A group, and the result of its samples so far.
#[derive(Debug)]
pub(super) struct SampleGroup {
    op: Aggregator,
    dialect: Dialect,
    count: f64,
    state: State,
}

#[derive(Debug)]
enum State {
    /// `count`, `group`, and `count_values` need only the number of samples.
    Count,
    /// The sum of Prometheus 2.
    PlainSum(f64),
    Sum(Sum),
    Mean(Mean),
    /// `min` and `max`.
    Extreme(f64),
    /// The mean, and the sum of the squared distances from it.
    Spread(f64, f64),
    Best(Best),
    All(Vec<f64>),
}

impl SampleGroup {
    pub(super) fn new(op: Aggregator, dialect: Dialect, most: usize) -> Self {
        let state = match (op, dialect) {
            (Aggregator::Sum, Dialect::Two) => State::PlainSum(0.0),
            (Aggregator::Sum, Dialect::Three) => State::Sum(Sum::new(dialect)),
            (Aggregator::Avg, _) => State::Mean(Mean::new(dialect, dialect == Dialect::Three)),
            (Aggregator::Min | Aggregator::Max, _) => State::Extreme(f64::NAN),
            (Aggregator::Stddev | Aggregator::Stdvar, _) => State::Spread(0.0, 0.0),
            (Aggregator::Topk, _) => State::Best(Best::new(most, false, dialect)),
            (Aggregator::Bottomk, _) => State::Best(Best::new(most, true, dialect)),
            (Aggregator::Quantile, _) => State::All(Vec::new()),
            _ => State::Count,
        };
        Self { op, dialect, count: 0.0, state }
    }

    pub(super) fn add(&mut self, sample: Sample) {
        let value = sample.value;
        let is_first = self.count == 0.0;
        self.count += 1.0;
        match &mut self.state {
            State::Count => {}
            // The first value is taken as it is: 0 plus -0 would be 0.
            State::PlainSum(sum) => *sum = if is_first { value } else { *sum + value },
            State::Sum(sum) if is_first => *sum = Sum::starting_with(value, self.dialect),
            State::Sum(sum) => sum.add(value),
            State::Mean(mean) => mean.add(value),
            State::Extreme(extreme) => {
                let replaces =
                    if self.op == Aggregator::Max { *extreme < value } else { *extreme > value };
                if replaces || extreme.is_nan() {
                    *extreme = value;
                }
            }
            State::Spread(mean, squares) if is_first => {
                // Prometheus 3 makes the spread of infinity NaN.
                let is_finite = value.is_finite() || self.dialect == Dialect::Two;
                (*mean, *squares) = (value, if is_finite { 0.0 } else { f64::NAN });
            }
            State::Spread(mean, squares) => {
                let delta = value - *mean;
                *mean += delta / self.count;
                *squares += delta * (value - *mean);
            }
            State::Best(best) => best.add(sample),
            State::All(values) => values.push(value),
        }
    }

    /// The samples that `topk` and `bottomk` picked. Other groups are returned unchanged.
    pub(super) fn picked(self) -> Result<Vector, Self> {
        match self.state {
            State::Best(best) => Ok(best.into_sorted()),
            state => Err(Self { state, ..self }),
        }
    }

    pub(super) fn value(self, parameter: f64) -> f64 {
        match self.state {
            State::Count if self.op == Aggregator::Group => 1.0,
            State::Count | State::Best(_) => self.count,
            State::PlainSum(sum) => sum,
            State::Sum(sum) => sum.total(),
            State::Mean(mean) => mean.value(),
            State::Extreme(extreme) => extreme,
            State::Spread(_, squares) if self.op == Aggregator::Stdvar => squares / self.count,
            State::Spread(_, squares) => (squares / self.count).sqrt(),
            State::All(mut values) => quantile(parameter, &mut values),
        }
    }
}
