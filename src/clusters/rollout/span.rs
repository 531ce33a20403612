//! Durations as people write them: `90s`, `5m`, `1h30m`.

use crate::pools::Time;
use crate::text::Failure;

const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// The longest duration. No part of an update takes longer, and sums of such durations do not
/// overflow.
const LONGEST: u64 = 366 * 86_400;

/// The seconds of a text such as `1h30m`.
pub(crate) fn parse_span(text: &str) -> Result<u64, Failure> {
    let wrong = || {
        Failure::new(format!("`{text}` is not a length of time")).hint("write 90s, 5m, or 1h30m")
    };
    let (mut seconds, mut rest, mut units) = (0_u64, text, UNITS.iter());
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, after) = rest.split_at(end);
        let unit = after.chars().next().ok_or_else(wrong)?;
        // Each unit may occur once, and larger units come first.
        let (_, length) = units.find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        seconds = number.saturating_mul(*length).saturating_add(seconds);
        rest = after.get(1..).unwrap_or_default();
    }
    if text.is_empty() {
        return Err(wrong());
    }
    if seconds > LONGEST {
        return Err(Failure::new(format!("`{text}` is longer than a year")));
    }
    Ok(seconds)
}

/// Parses a duration, or a range such as `5m..20m`.
pub(crate) fn parse_time_range(text: &str) -> Result<Time, Failure> {
    let Some((least, most)) = text.split_once("..") else {
        return parse_span(text).map(Time::Fixed);
    };
    let (least, most) = (parse_span(least)?, parse_span(most)?);
    if least > most {
        let what = format!("`{text}` begins with the longer time");
        return Err(Failure::new(what).hint("write the shorter time first"));
    }
    Ok(Time::Between(least, most))
}

/// A duration as text, such as `1h30m`, `2m5s`, or `0s`.
pub(crate) fn span(seconds: u64) -> String {
    let mut left = seconds;
    let mut parts = Vec::new();
    for (unit, length) in UNITS {
        if left >= length {
            parts.push((left / length, unit));
            left %= length;
        }
    }
    if parts.is_empty() {
        return "0s".to_owned();
    }
    parts.iter().map(|(number, unit)| format!("{number}{unit}")).collect::<Vec<_>>().concat()
}

/// A duration or a range as text.
pub(crate) fn time_range(time: Time) -> String {
    match time {
        Time::Fixed(seconds) => span(seconds),
        Time::Between(least, most) => format!("{} to {}", span(least), span(most)),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_span, parse_time_range, span};
    use crate::pools::Time;

    #[test]
    fn times_are_read_and_written() {
        for (text, seconds) in [("90s", 90), ("5m", 300), ("1h30m", 5_400), ("2d", 172_800)] {
            assert_eq!(parse_span(text), Ok(seconds));
        }
        assert_eq!(span(5_400), "1h30m");
        assert_eq!(span(90), "1m30s");
        assert_eq!(span(0), "0s");
        assert_eq!(parse_time_range("5m..20m"), Ok(Time::Between(300, 1_200)));
    }

    #[test]
    fn other_texts_are_not_times() {
        for text in
            ["", "5", "m", "5m5m", "5s1m", "-5m", "5 m", "1.5h", "99999999999d", "5m..", "2m..1m"]
        {
            assert!(parse_time_range(text).is_err(), "{text}");
        }
    }
}
