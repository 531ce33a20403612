//! The quantile of some values.

/// The value below which the share `q` of the values lies.
pub(super) fn quantile(q: f64, values: &mut [f64]) -> f64 {
    if values.is_empty() || q.is_nan() {
        return f64::NAN;
    }
    if q < 0.0 {
        return f64::NEG_INFINITY;
    }
    if q > 1.0 {
        return f64::INFINITY;
    }
    // NaN comes first, and equal values keep their order.
    values.sort_by(|a, b| {
        b.is_nan().cmp(&a.is_nan()).then(a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal))
    });
    let last = values.len() - 1;
    let rank = q * last as f64;
    let below = rank.floor();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the last")]
    let lower = (below as usize).min(last);
    let upper = (lower + 1).min(last);
    let weight = rank - below;
    values[lower] * (1.0 - weight) + values[upper] * weight
}
