//! Moments and durations, with Go's arithmetic and texts.

use std::fmt;

use crate::domain::time::{parse_time, write_time};

const SECOND: i64 = 1_000_000_000;

/// A moment, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Time(i128);

impl Time {
    /// Go's value for a missing time: the start of the year 1.
    pub(super) const ZERO: Self = Self(-62_135_596_800 * SECOND as i128);

    /// The moment in a text. The zero time if the text has none.
    pub(super) fn of(text: &str) -> Self {
        parse_time(text).map_or(Self::ZERO, Self::of_milliseconds)
    }

    /// A moment in milliseconds since 1970.
    pub(super) fn of_milliseconds(time: i64) -> Self {
        Self(i128::from(time) * 1_000_000)
    }

    pub(super) fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The time from `earlier` to this moment.
    pub(super) fn since(self, earlier: Self) -> Duration {
        let nanoseconds = self.0.saturating_sub(earlier.0);
        let bounded = nanoseconds.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        Duration(i64::try_from(bounded).unwrap_or(i64::MAX))
    }

    pub(super) fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i128::from(duration.0)))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = i64::try_from(self.0.div_euclid(1_000_000)).unwrap_or(i64::MAX);
        f.write_str(&write_time(milliseconds))
    }
}

/// A length of time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Duration(i64);

impl Duration {
    pub(super) const ZERO: Self = Self(0);
    pub(super) const SECOND: Self = Self(SECOND);
    pub(super) const MINUTE: Self = Self(60 * SECOND);
    pub(super) const HOUR: Self = Self::minutes(60);

    pub(super) const fn nanoseconds(count: i64) -> Self {
        Self(count)
    }

    pub(super) const fn minutes(count: i64) -> Self {
        Self(count.saturating_mul(60 * SECOND))
    }

    pub(super) fn whole_seconds(count: i64) -> Self {
        Self(count.saturating_mul(SECOND))
    }

    #[allow(clippy::cast_precision_loss, reason = "as Go calculates it")]
    pub(super) fn seconds(self) -> f64 {
        (self.0 / SECOND) as f64 + (self.0 % SECOND) as f64 / SECOND as f64
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Rounds down to a multiple of the unit.
    pub(super) fn truncated(self, unit: Self) -> Self {
        Self(self.0 - self.0 % unit.0)
    }

    /// Rounds to the nearest multiple of the unit, and halves away from zero.
    pub(super) fn rounded(self, unit: Self) -> Self {
        let (rest, lower) = (self.0 % unit.0, self.truncated(unit));
        let is_half = rest.unsigned_abs() >= unit.0.unsigned_abs().div_ceil(2);
        if is_half { Self(lower.0.saturating_add(unit.0 * rest.signum())) } else { lower }
    }

    /// The text of Go, without seconds or minutes that are zero, and without fractions.
    pub(super) fn short(self) -> String {
        let text = self.to_string();
        let cut = |length| text[..text.len() - length].to_owned();
        if text == "0s" {
            "now".to_owned()
        } else if text.ends_with("h0m0s") {
            cut(4)
        } else if text.ends_with("m0s") {
            cut(2)
        } else if text.contains('.') {
            self.before_point().short()
        } else {
            text
        }
    }

    /// The duration that `oc` shows: it cuts the text at the point, and reads the rest as seconds.
    /// So 1.5ms becomes 1s.
    fn before_point(self) -> Self {
        let unit = unit(self.0.unsigned_abs());
        Self::whole_seconds(self.0 / unit.0)
    }
}

/// The unit in which Go prints this many nanoseconds, and its name.
fn unit(nanoseconds: u64) -> (i64, &'static str) {
    match nanoseconds {
        0..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "µs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (SECOND, "s"),
    }
}

/// Prints like Go: `1h0m3.5s`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0s");
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanoseconds = self.0.unsigned_abs();
        let (size, name) = unit(nanoseconds);
        let size = size.unsigned_abs();
        let digits = size.ilog10() as usize;
        let rest = format!("{:0digits$}", nanoseconds % size);
        let fraction = rest.trim_end_matches('0');
        let fraction = if fraction.is_empty() { String::new() } else { format!(".{fraction}") };
        let whole = nanoseconds / size;
        let (hours, minutes) = (whole / 3600, whole / 60 % 60);
        if size != SECOND.unsigned_abs() || whole < 60 {
            write!(f, "{sign}{whole}{fraction}{name}")
        } else if hours == 0 {
            write!(f, "{sign}{minutes}m{}{fraction}s", whole % 60)
        } else {
            write!(f, "{sign}{hours}h{minutes}m{}{fraction}s", whole % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, SECOND, Time};

    #[test]
    fn durations_are_printed_as_go_prints_them() {
        let cases = [
            (0, "0s", "now"),
            (7, "7ns", "7ns"),
            // A bug of `oc`: the number before the point becomes seconds.
            (368_975, "368.975µs", "6m8s"),
            (1_500_000, "1.5ms", "1s"),
            (59 * SECOND, "59s", "59s"),
            (120 * SECOND, "2m0s", "2m"),
            (-90 * SECOND, "-1m30s", "-1m30s"),
            (3600 * SECOND, "1h0m0s", "1h"),
            (3660 * SECOND, "1h1m0s", "1h1m"),
            (3601 * SECOND + 5, "1h0m1.000000005s", "1h0m1s"),
            (i64::MAX, "2562047h47m16.854775807s", "2562047h47m16s"),
            (i64::MIN, "-2562047h47m16.854775808s", "-2562047h47m16s"),
        ];
        for (nanoseconds, printed, short) in cases {
            let duration = Duration::nanoseconds(nanoseconds);
            assert_eq!(
                (duration.to_string().as_str(), duration.short().as_str()),
                (printed, short)
            );
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let cases = [(29, 0), (30, 60), (89, 60), (90, 120), (-30, -60), (-29, 0)];
        for (seconds, rounded) in cases {
            let found = Duration::whole_seconds(seconds).rounded(Duration::MINUTE);
            assert_eq!(found, Duration::whole_seconds(rounded), "{seconds}");
        }
        assert_eq!(Duration::whole_seconds(119).truncated(Duration::MINUTE), Duration::MINUTE);
    }

    #[test]
    fn a_text_that_is_no_time_is_the_zero_time() {
        assert!(Time::of("yesterday").is_zero());
        assert_eq!(Time::of("").since(Time::of("2026-01-01T00:00:00Z")).short(), "-2562047h47m16s");
        assert_eq!(Time::of("2026-01-01T00:00:00Z").to_string(), "2026-01-01T00:00:00Z");
    }
}
