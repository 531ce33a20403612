//! `rate` and similar functions: how a series changes over a window, although its samples do not
//! reach the ends of the window.

use super::super::super::dialect::Dialect;
use super::super::selectors::seconds;
use super::window::{OfWindow, Window};

pub(super) fn function(name: &str) -> Option<OfWindow> {
    Some(match name {
        "delta" => |window| extrapolated(window, false, 1.0),
        "increase" => |window| extrapolated(window, true, 1.0),
        "rate" => |window| extrapolated(window, true, seconds(window.reach)),
        "idelta" => |window| last_two(window, false),
        "irate" => |window| last_two(window, true),
        _ => return None,
    })
}

fn duration(from: i64, to: i64) -> f64 {
    seconds(to.saturating_sub(from))
}

/// The growth of a counter or a gauge in a window, divided by a duration.
fn extrapolated(window: &Window, is_counter: bool, by: f64) -> Option<f64> {
    let [first, .., last] = window.points else { return None };
    let mut growth = last.value - first.value;
    if is_counter {
        // After a reset, a counter starts again at 0.
        let resets = window.points.windows(2).filter(|pair| pair[1].value < pair[0].value);
        growth = resets.fold(growth, |growth, pair| growth + pair[0].value);
    }
    let sampled = duration(first.time, last.time);
    let between = sampled / (window.points.len() - 1) as f64;
    let mut to_start = duration(window.start, first.time);
    let mut to_end = duration(last.time, window.end);
    // A counter cannot have been below 0. Prometheus 3 considers that after it limits the
    // extrapolation to the ends of the window, Prometheus 2 before.
    let to_zero = |to_start: f64| {
        let falls = is_counter && growth > 0.0 && first.value >= 0.0;
        let to_zero = sampled * (first.value / growth);
        if falls && to_zero < to_start { to_zero } else { to_start }
    };
    if window.dialect == Dialect::Two {
        to_start = to_zero(to_start);
    }
    let near = between * 1.1;
    if to_start >= near {
        to_start = between / 2.0;
    }
    if window.dialect == Dialect::Three {
        to_start = to_zero(to_start);
    }
    if to_end >= near {
        to_end = between / 2.0;
    }
    Some(growth * ((sampled + to_start + to_end) / sampled / by))
}

/// The change between the last two samples. For a counter, the change per second.
fn last_two(window: &Window, is_counter: bool) -> Option<f64> {
    let [.., before, last] = window.points else { return None };
    let is_reset = is_counter && last.value < before.value;
    let growth = if is_reset { last.value } else { last.value - before.value };
    Some(if is_counter { growth / duration(before.time, last.time) } else { growth })
}
