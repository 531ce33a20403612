//! The values of a series as promtool's unit tests write them: `0 1 _ stale 1x60 0+1x10`.
//!
//! There is one value a minute, and the last one is at the time of the query.

use crate::promql::{LineFault, Point};
use crate::text::words::grouped;

/// A minute in milliseconds.
const MINUTE: i64 = 60_000;

/// The most values of one series.
const MOST: usize = 100_000;

/// How many minutes before the query a single number starts.
const LONE: usize = 120;

#[derive(Clone, Copy)]
enum NotationValue {
    Number(f64),
    Stale,
    Missing,
}

/// Parses samples. The last one is at `time`, in milliseconds since 1970.
pub(super) fn points(text: &str, time: i64) -> Result<Vec<Point>, LineFault> {
    let mut values = Vec::new();
    for (at, word) in words(text) {
        let (repeated, count) =
            item(word).map_err(|fault| LineFault { at: at + fault.at, ..fault })?;
        if count > MOST - values.len() {
            return Err(LineFault::new(at, format!("at most {} values", grouped(MOST))));
        }
        values.extend(repeated.values(count));
    }
    match values.as_slice() {
        [] => return Err(LineFault::new(text.len(), "a value")),
        [lone @ NotationValue::Number(_)] => values = vec![*lone; LONE + 1],
        _ => {}
    }
    let times = (0i64..).map(|minutes| time.saturating_sub(minutes * MINUTE));
    let points = values.iter().rev().zip(times).filter_map(|(value, time)| match value {
        NotationValue::Number(value) => Some(Point { time, value: *value }),
        NotationValue::Stale => Some(Point::stale(time)),
        NotationValue::Missing => None,
    });
    let mut points: Vec<Point> = points.collect();
    points.reverse();
    Ok(points)
}

/// The words of a text, each with its offset.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split_ascii_whitespace();
    words.map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

/// A value that is repeated, with or without a step.
struct Repeated {
    first: NotationValue,
    step: f64,
}

impl Repeated {
    fn values(&self, count: usize) -> impl Iterator<Item = NotationValue> {
        let step = self.step;
        let next = move |value: &NotationValue| match value {
            NotationValue::Number(value) => Some(NotationValue::Number(value + step)),
            other => Some(*other),
        };
        std::iter::successors(Some(self.first), next).take(count)
    }
}

/// Parses a word: a value, and how many times it is repeated.
fn item(word: &str) -> Result<(Repeated, usize), LineFault> {
    if word == "stale" {
        return Ok((Repeated { first: NotationValue::Stale, step: 0.0 }, 1));
    }
    if let Some(rest) = word.strip_prefix('_') {
        let count = if rest.is_empty() { 1 } else { times(word, 1)? };
        return Ok((Repeated { first: NotationValue::Missing, step: 0.0 }, count));
    }
    let (first, end) = number(word, 0, true)?;
    let first = NotationValue::Number(first);
    match word.as_bytes().get(end) {
        None => Ok((Repeated { first, step: 0.0 }, 1)),
        // Prometheus counts the first value, too.
        Some(b'x') => Ok((Repeated { first, step: 0.0 }, times(word, end)?.saturating_add(1))),
        Some(_) => {
            let (step, end) = number(word, end, false)?;
            Ok((Repeated { first, step }, times(word, end)?.saturating_add(1)))
        }
    }
}

/// Parses `x60` at the end of a word.
fn times(word: &str, at: usize) -> Result<usize, LineFault> {
    let Some(count) = word[at..].strip_prefix('x') else {
        return Err(LineFault::new(at, "`x` and a number"));
    };
    if count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(LineFault::new(at + 1, "a whole number"));
    }
    Ok(count.parse().unwrap_or(usize::MAX))
}

/// Parses the number at an offset in a word. Returns also where it ends. A step has a sign.
fn number(word: &str, at: usize, is_first: bool) -> Result<(f64, usize), LineFault> {
    let expected = || {
        let what = if is_first { "a number, `_`, or `stale`" } else { "a space, `+`, `-`, or `x`" };
        LineFault::new(at, what)
    };
    let rest = &word[at..];
    let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let sign = rest.len() - unsigned.len();
    if sign == 0 && !is_first {
        return Err(expected());
    }
    let length = if unsigned.get(..3).is_some_and(is_named_number) { 3 } else { digits(unsigned) };
    let end = at + sign + length;
    let value = word.get(at..end).and_then(|number| number.parse().ok());
    value.map(|value| (value, end)).ok_or_else(expected)
}

fn is_named_number(word: &str) -> bool {
    word.eq_ignore_ascii_case("inf") || word.eq_ignore_ascii_case("nan")
}

/// The length of a number without a sign: `1`, `1.5`, `1e-5`.
fn digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let skip = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = skip(0);
    if bytes.get(end) == Some(&b'.') {
        end = skip(end + 1);
    }
    if end > 0 && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let after = skip(start);
        if after > start {
            end = after;
        }
    }
    end
}
