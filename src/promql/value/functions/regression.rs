//! `deriv` and `predict_linear`: the line through the samples.

use super::super::kahan::Sum;
use super::super::selectors::seconds;
use super::super::series::Point;
use super::window::{OfWindow, Window};

pub(super) fn function(name: &str) -> Option<OfWindow> {
    Some(match name {
        // A time near the samples keeps the numbers small.
        "deriv" => |window| line(window, window.points.first()?.time).map(|(slope, _)| slope),
        "predict_linear" => |window| {
            let (slope, at_step) = line(window, window.step)?;
            Some(slope * window.parameter + at_step)
        },
        _ => return None,
    })
}

/// The slope of the line that fits best, and its value at a time.
fn line(window: &Window, time: i64) -> Option<(f64, f64)> {
    let [first, _, ..] = window.points else { return None };
    if window.values().all(|value| value == first.value) {
        let is_infinite = first.value.is_infinite();
        return Some(if is_infinite { (f64::NAN, f64::NAN) } else { (0.0, first.value) });
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
    Some((slope, y / count - slope * x / count))
}
