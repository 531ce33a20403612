//! `avg_over_time` and similar functions.

use super::super::kahan::{Mean, Sum};
use super::super::quantile::quantile;
use super::window::{OfWindow, Window};

pub(super) fn function(name: &str) -> Option<OfWindow> {
    Some(match name {
        "absent_over_time" | "present_over_time" => |_| Some(1.0),
        "avg_over_time" => |window| {
            let mut mean = Mean::new(window.dialect, true);
            window.values().for_each(|value| mean.add(value));
            Some(mean.value())
        },
        "changes" => |window| Some(pairs(window, |a, b| a != b && !(a.is_nan() && b.is_nan()))),
        "count_over_time" => |window| Some(window.points.len() as f64),
        "last_over_time" => |window| window.values().last(),
        "max_over_time" => |window| extreme(window, |value, most| value > most),
        "min_over_time" => |window| extreme(window, |value, least| value < least),
        "quantile_over_time" => |window| {
            let mut values: Vec<f64> = window.values().collect();
            Some(quantile(window.parameters[0], &mut values))
        },
        "resets" => |window| Some(pairs(window, |before, after| after < before)),
        "stddev_over_time" => |window| Some(variance(window).sqrt()),
        "stdvar_over_time" => |window| Some(variance(window)),
        "sum_over_time" => |window| {
            let mut sum = Sum::new(window.dialect);
            window.values().for_each(|value| sum.add(value));
            Some(sum.total())
        },
        _ => return None,
    })
}

/// The number of pairs of neighboring values for which `is_so` is true.
fn pairs(window: &Window, is_so: impl Fn(f64, f64) -> bool) -> f64 {
    let count = window.points.windows(2).filter(|pair| is_so(pair[0].value, pair[1].value)).count();
    count as f64
}

/// The value that no other value beats. NaN only if all values are NaN.
fn extreme(window: &Window, beats: impl Fn(f64, f64) -> bool) -> Option<f64> {
    let numbers = window.values().skip_while(|value| value.is_nan());
    let best = numbers.reduce(|best, value| if beats(value, best) { value } else { best });
    best.or_else(|| window.values().last())
}

fn variance(window: &Window) -> f64 {
    let mut count = 0.0;
    let mut mean = Sum::new(window.dialect);
    let mut squares = Sum::new(window.dialect);
    for value in window.values() {
        count += 1.0;
        let delta = value - mean.exact();
        mean.add(delta / count);
        squares.add(delta * (value - mean.exact()));
    }
    squares.exact() / count
}
