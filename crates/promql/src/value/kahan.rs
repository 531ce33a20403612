//! Sums and means with small rounding errors, as Prometheus calculates them.

use super::super::dialect::Dialect;

/// A sum, and the rounding error so far (Kahan's method in Neumaier's form).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    total: f64,
    rest: f64,
    dialect: Dialect,
}

impl Sum {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { total: 0.0, rest: 0.0, dialect }
    }

    pub(super) fn starting_with(value: f64, dialect: Dialect) -> Self {
        Self { total: value, rest: 0.0, dialect }
    }

    pub(super) fn add(&mut self, value: f64) {
        let total = self.total + value;
        if self.dialect == Dialect::Three && total.is_infinite() {
            self.rest = 0.0;
        } else if self.total.abs() >= value.abs() {
            self.rest += (self.total - total) + value;
        } else {
            self.rest += (value - total) + self.total;
        }
        self.total = total;
    }

    /// The sum. Once infinite, it stays infinite.
    pub(super) fn total(self) -> f64 {
        if self.total.is_infinite() { self.total } else { self.exact() }
    }

    /// The sum with the rounding error added, which can turn infinity into NaN.
    pub(super) fn exact(self) -> f64 {
        self.total + self.rest
    }
}

/// The mean of values. Prometheus 2 updates the mean with each value. Prometheus 3 divides the sum,
/// unless it gets too large.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    sum: Sum,
    moving: Option<Sum>,
    count: f64,
    /// Whether the moving mean tracks the rounding error. `avg` of Prometheus 2 does not.
    compensates: bool,
}

impl Mean {
    pub(super) fn new(dialect: Dialect, compensates: bool) -> Self {
        let zero = Sum::new(dialect);
        let moving = (dialect == Dialect::Two).then_some(zero);
        Self { sum: zero, moving, count: 0.0, compensates }
    }

    pub(super) fn add(&mut self, value: f64) {
        self.count += 1.0;
        if self.count == 1.0 && !self.compensates {
            // The first value is not added to 0: 0 plus -0 would be 0.
            self.moving = Some(Sum::starting_with(value, self.sum.dialect));
            return;
        }
        if self.moving.is_none() {
            let mut sum = self.sum;
            sum.add(value);
            if self.count <= 1.0 || !sum.total.is_infinite() {
                self.sum = sum;
                return;
            }
            // The sum would overflow, so only the mean is kept from here on.
            let before = self.count - 1.0;
            let (mean, rest) = (self.sum.total / before, self.sum.rest / before);
            self.moving = Some(Sum { total: mean, rest, dialect: sum.dialect });
        }
        if let Some(mean) = &mut self.moving {
            move_mean(mean, value, self.count, self.compensates);
        }
    }

    pub(super) fn value(self) -> f64 {
        match self.moving {
            Some(mean) => mean.total(),
            None if self.sum.total.is_infinite() => self.sum.total,
            None => self.sum.total / self.count + self.sum.rest / self.count,
        }
    }
}

fn move_mean(mean: &mut Sum, value: f64, count: f64, compensates: bool) {
    let now = if mean.dialect == Dialect::Three { mean.total() } else { mean.total };
    if now.is_infinite() {
        let same_infinity = value.is_infinite() && (now > 0.0) == (value > 0.0);
        if same_infinity || value.is_finite() {
            return;
        }
    }
    let step = value / count - now / count;
    if compensates {
        mean.add(step);
    } else {
        mean.total += step;
    }
}
