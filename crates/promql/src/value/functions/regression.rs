//! `deriv` and `predict_linear` fit a line to the samples. `holt_winters` follows their trend.

use super::super::error::EvalError;
use super::super::kahan::Sum;
use super::super::selectors::seconds;
use super::super::series::Point;
use super::window::{OfWindow, Window};

pub(super) fn function(name: &str) -> Option<OfWindow> {
    Some(match name {
        // A reference time near the samples keeps the numbers small.
        "deriv" => {
            |window| FittedLine::of(window, window.points.first()?.time).map(|line| line.slope)
        }
        "predict_linear" => |window| {
            let line = FittedLine::of(window, window.step)?;
            Some(line.slope * window.parameters[0] + line.value)
        },
        "holt_winters" => |window| smoothed(window, window.parameters),
        _ => return None,
    })
}

/// Refuses factors of `holt_winters` that are not between 0 and 1.
pub(super) fn expect_factors([smoothing, trend]: [f64; 2]) -> Result<(), EvalError> {
    for (factor, name, short) in [(smoothing, "smoothing", "sf"), (trend, "trend", "tf")] {
        if factor <= 0.0 || factor >= 1.0 {
            let found = if factor.is_infinite() {
                format!("{}Inf", if factor > 0.0 { '+' } else { '-' })
            } else {
                format!("{factor:.6}")
            };
            return Err(EvalError::execution(format!(
                "invalid {name} factor. Expected: 0 < {short} < 1, got: {found}"
            )));
        }
    }
    Ok(())
}

/// The last value after smoothing the samples and their trend.
fn smoothed(window: &Window, [smoothing, trend_factor]: [f64; 2]) -> Option<f64> {
    let [first, second, ..] = window.points else { return None };
    let (mut last, mut trend) = (first.value, second.value - first.value);
    for value in window.values().skip(1) {
        let next = smoothing * value + (1.0 - smoothing) * (last + trend);
        trend = trend_factor * (next - last) + (1.0 - trend_factor) * trend;
        last = next;
    }
    Some(last)
}

/// The line that fits the samples best.
struct FittedLine {
    slope: f64,
    /// Its value at a time.
    value: f64,
}

impl FittedLine {
    fn of(window: &Window, time: i64) -> Option<Self> {
        let [first, _, ..] = window.points else { return None };
        if window.values().all(|value| value == first.value) {
            let is_infinite = first.value.is_infinite();
            return Some(if is_infinite {
                Self { slope: f64::NAN, value: f64::NAN }
            } else {
                Self { slope: 0.0, value: first.value }
            });
        }
        let total = |of: fn(f64, f64) -> f64| {
            let mut sum = Sum::new(window.dialect);
            let place = |point: &Point| seconds(point.time.saturating_sub(time));
            window.points.iter().for_each(|point| sum.add(of(place(point), point.value)));
            sum.exact()
        };
        let count = window.points.len() as f64;
        let (x, y) = (total(|x, _| x), total(|_, y| y));
        let (xy, xx) = (total(|x, y| x * y), total(|x, _| x * x));
        let slope = (xy - x * y / count) / (xx - x * x / count);
        Some(Self { slope, value: y / count - slope * x / count })
    }
}
