//! Which values an expression can have.

use super::super::syntax::Operator;

/// The values that samples can have.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// One of these, in ascending order.
    Only(Vec<f64>),
    /// The result of counting.
    Tally {
        /// Whether it can be 0.
        zero: bool,
    },
    /// Nothing is known.
    Any,
}

/// Longer lists become [`Values::Any`].
const MOST: usize = 16;

impl Values {
    /// One value.
    pub fn just(value: f64) -> Self {
        Self::Only(vec![value])
    }

    fn only(mut list: Vec<f64>) -> Self {
        list.sort_by(f64::total_cmp);
        list.dedup();
        if list.len() > MOST || list.iter().any(|value| value.is_nan()) {
            return Self::Any;
        }
        Self::Only(list)
    }

    /// Whether a value is impossible.
    pub fn lacks(&self, value: f64) -> bool {
        match self {
            Self::Only(list) => !list.contains(&value),
            Self::Tally { zero } => value == 0.0 && !zero,
            Self::Any => false,
        }
    }

    /// The values of one or the other.
    pub fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Only(a), Self::Only(b)) => Self::only([a.as_slice(), b.as_slice()].concat()),
            (Self::Tally { zero }, Self::Tally { zero: also }) => {
                Self::Tally { zero: *zero || *also }
            }
            (Self::Tally { zero }, Self::Only(list)) | (Self::Only(list), Self::Tally { zero }) => {
                match list.as_slice() {
                    [0.0] => Self::Tally { zero: true },
                    [1.0] => Self::Tally { zero: *zero },
                    _ => Self::Any,
                }
            }
            _ => Self::Any,
        }
    }
}

pub(super) fn calculate(op: Operator, left: &Values, right: &Values) -> Values {
    let is = |values: &Values, value: f64| *values == Values::just(value);
    if op == Operator::Multiply && (is(left, 0.0) || is(right, 0.0)) {
        return Values::just(0.0);
    }
    match (left, right) {
        (Values::Only(a), Values::Only(b)) if a.len() * b.len() <= MOST * MOST => {
            let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
            let made: Option<Vec<f64>> = pairs.map(|(a, b)| apply(op, a, b)).collect();
            // Adding 0 turns -0 into 0, so that the list does not contain both.
            made.map_or(Values::Any, |list| Values::only(list.iter().map(|v| v + 0.0).collect()))
        }
        (tally @ Values::Tally { .. }, one) | (one, tally @ Values::Tally { .. })
            if op == Operator::Multiply && is(one, 1.0) =>
        {
            tally.clone()
        }
        _ => Values::Any,
    }
}

fn apply(op: Operator, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        Operator::Modulo => a % b,
        Operator::Power => a.powf(b),
        _ => return None,
    })
}

/// The values on the left that a comparison keeps.
#[allow(clippy::float_cmp, reason = "as Prometheus compares")]
pub(super) fn compare(op: Operator, left: &Values, right: &Values) -> Values {
    let passes = |a: f64, b: f64| match op {
        Operator::Equal => a == b,
        Operator::NotEqual => a != b,
        Operator::Less => a < b,
        Operator::LessOrEqual => a <= b,
        Operator::Greater => a > b,
        _ => a >= b,
    };
    match (left, right) {
        (Values::Only(a), Values::Only(b)) => {
            Values::only(a.iter().copied().filter(|a| b.iter().any(|b| passes(*a, *b))).collect())
        }
        (_, Values::Only(b)) if op == Operator::Equal => Values::Only(b.clone()),
        (Values::Tally { zero }, Values::Only(b)) => {
            let still = *zero && b.iter().any(|b| passes(0.0, *b));
            Values::Tally { zero: still }
        }
        _ => Values::Any,
    }
}
