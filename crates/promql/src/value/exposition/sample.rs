//! One line of an exposition: `name{label="value"} 1.5 1755896700`.

use super::Format;
use super::cursor::{Cursor, Located};
use super::malformed::LineFault;

/// The value, and the time in milliseconds.
pub(super) type TimedValue = (f64, Option<i64>);

/// Reads a line. Puts its labels into a list.
pub(super) fn sample(
    written: &str,
    format: Format,
    labels: &mut Vec<Located>,
) -> Result<TimedValue, LineFault> {
    let mut cursor = Cursor::of_exporter(written);
    cursor.skip_space();
    cursor.labels(labels)?;
    let value_at = cursor.next_word("a value")?;
    let value = number(cursor.word()).ok_or_else(|| LineFault::new(value_at, "a number"))?;
    cursor.skip_space();
    if cursor.is_at_end() {
        return Ok((value, None));
    }
    let at = cursor.at;
    let time = match format {
        // An exemplar follows: a single measurement, which is not part of the series.
        Format::OpenMetrics if cursor.rest().starts_with("# ") => return Ok((value, None)),
        Format::OpenMetrics => number(cursor.word()).and_then(in_milliseconds),
        Format::Prometheus => cursor.word().parse().ok().filter(|time: &i64| is_time(*time)),
    };
    let expected = match format {
        Format::OpenMetrics => "a time in seconds",
        Format::Prometheus => "a time in milliseconds",
    };
    let time = time.ok_or_else(|| LineFault::new(at, expected))?;
    cursor.skip_space();
    let exemplar = format == Format::OpenMetrics && cursor.rest().starts_with("# ");
    if !cursor.is_at_end() && !exemplar {
        return Err(LineFault::new(cursor.at, "the end of the line"));
    }
    Ok((value, Some(time)))
}

/// Whether seconds with decimals can represent the time exactly.
fn is_time(milliseconds: i64) -> bool {
    milliseconds.unsigned_abs() < 9_000_000_000_000_000
}

#[allow(clippy::cast_possible_truncation, reason = "the bounds are checked")]
fn in_milliseconds(seconds: f64) -> Option<i64> {
    let time = (seconds * 1000.0).round();
    (time.abs() < 9e15).then_some(time as i64)
}

/// A number as Go reads it.
fn number(word: &str) -> Option<f64> {
    // Rust reads the same words, but does not refuse numbers that are too large.
    let value: f64 = word.parse().ok()?;
    let is_word = word.contains(['n', 'N']);
    (value.is_finite() || is_word).then_some(value)
}
