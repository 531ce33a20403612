//! Numbers as Prometheus writes them.

/// The shortest decimal number without an exponent, as in the labels of `count_values`.
pub fn in_decimal(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf".into() } else { "-Inf".into() };
    }
    format!("{value}")
}

/// The number as Prometheus's API writes it, with an exponent if there would be many digits.
pub fn in_json(value: f64) -> String {
    let size = value.abs();
    let exponent = value.is_finite() && size != 0.0 && !(1e-6..1e21).contains(&size);
    if exponent { scientific(value) } else { in_decimal(value) }
}

/// The number as it is in error messages.
pub(super) fn in_words(value: f64) -> String {
    let size = value.abs();
    let exponent = value.is_finite() && size != 0.0 && !(1e-4..1e6).contains(&size);
    if exponent { scientific(value) } else { in_decimal(value) }
}

/// A number such as `1e+21`. The exponent has a sign and at least two digits.
fn scientific(value: f64) -> String {
    let written = format!("{value:e}");
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A time in milliseconds as seconds, with three decimals if there are any.
pub fn seconds(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    let size = milliseconds.unsigned_abs();
    match size % 1000 {
        0 => format!("{sign}{}", size / 1000),
        rest => format!("{sign}{}.{rest:03}", size / 1000),
    }
}

/// Go's conversion to an integer, as compiled for x86-64: anything that does not fit becomes the
/// lowest integer.
#[allow(clippy::cast_possible_truncation, reason = "the bounds are checked")]
pub(super) fn whole(value: f64) -> i64 {
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    if fits { value as i64 } else { i64::MIN }
}
