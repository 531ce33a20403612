//! The parts of dates, in UTC.

use super::super::error::EvalError;
use super::super::labels::Labels;
use super::super::numbers::whole;
use super::super::pool::{Pool, Sample, Vector};
use super::{Arguments, mapped};

/// A part of a date.
pub(super) type DatePart = fn(&Date) -> u64;

pub(super) fn part(name: &str) -> Option<DatePart> {
    Some(match name {
        "day_of_month" => |date| date.day,
        "day_of_week" => |date| date.weekday,
        "day_of_year" => |date| date.day_of_year,
        "days_in_month" => |date| days_in_month(date.month, date.is_leap),
        "hour" => |date| date.second_of_day / 3600,
        "minute" => |date| date.second_of_day % 3600 / 60,
        "month" => |date| date.month,
        "year" => |date| date.year,
        _ => return None,
    })
}

pub(super) fn dates(
    pool: &mut Pool,
    arguments: &mut Arguments,
    part: DatePart,
) -> Result<Vec<Vector>, EvalError> {
    if !arguments.operands.is_empty() {
        let vectors = arguments.vectors(0);
        return mapped(pool, vectors, |_, value| of(part, whole(value)));
    }
    let labels = pool.intern(&Labels::default())?;
    let now = |time: i64| vec![Sample { labels, value: of(part, time / 1000) }];
    Ok(arguments.steps.times().map(now).collect())
}

fn of(part: DatePart, seconds: i64) -> f64 {
    let date = Date::new(seconds);
    let value = part(&date);
    // Only years can be negative.
    if value > i64::MAX.unsigned_abs() { -(value.wrapping_neg() as f64) } else { value as f64 }
}

/// A day and the time of day.
pub(super) struct Date {
    year: u64,
    month: u64,
    day: u64,
    day_of_year: u64,
    weekday: u64,
    second_of_day: u64,
    is_leap: bool,
}

/// The year from which Go counts. It begins a cycle of 400 years on a Monday.
const FIRST_YEAR: u64 = 292_277_022_399_u64.wrapping_neg();
/// The seconds from that year to 1970.
const TO_1970: u64 = 9_223_372_028_715_321_600;
const DAY: u64 = 24 * 60 * 60;

impl Date {
    /// A date from seconds since 1970. Extreme values wrap around, as in Go.
    fn new(seconds: i64) -> Self {
        let seconds = TO_1970.wrapping_add_signed(seconds);
        let days = seconds / DAY;
        let (cycles, mut rest) = (days / 146_097, days % 146_097);
        // The last century of a cycle and the last year of four may have one more day.
        let centuries = (rest / 36_524).min(3);
        rest -= centuries * 36_524;
        let (fours, mut rest) = (rest / 1_461, rest % 1_461);
        let years = (rest / 365).min(3);
        rest -= years * 365;
        let since = cycles * 400 + centuries * 100 + fours * 4 + years;
        let is_leap = years == 3 && (fours != 24 || centuries == 3);
        let (mut month, mut day) = (1, rest);
        while month < 12 && day >= days_in_month(month, is_leap) {
            day -= days_in_month(month, is_leap);
            month += 1;
        }
        Self {
            year: FIRST_YEAR.wrapping_add(since),
            month,
            day: day + 1,
            day_of_year: rest + 1,
            weekday: (days + 1) % 7,
            second_of_day: seconds % DAY,
            is_leap,
        }
    }
}

fn days_in_month(month: u64, is_leap: bool) -> u64 {
    match month {
        2 => 28 + u64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::part;

    fn parts(seconds: i64) -> [f64; 8] {
        let names = [
            "year",
            "month",
            "day_of_month",
            "day_of_year",
            "day_of_week",
            "days_in_month",
            "hour",
            "minute",
        ];
        names.map(|name| super::of(part(name).unwrap_or(|_| 0), seconds))
    }

    #[test]
    fn dates_have_their_parts() {
        assert_eq!(parts(0), [1970.0, 1.0, 1.0, 1.0, 4.0, 31.0, 0.0, 0.0]);
        assert_eq!(parts(-1), [1969.0, 12.0, 31.0, 365.0, 3.0, 31.0, 23.0, 59.0]);
        assert_eq!(parts(951_868_799), [2000.0, 2.0, 29.0, 60.0, 2.0, 29.0, 23.0, 59.0]);
        assert_eq!(parts(4_107_542_400), [2100.0, 3.0, 1.0, 60.0, 1.0, 31.0, 0.0, 0.0]);
        assert_eq!(parts(1_755_896_700), [2025.0, 8.0, 22.0, 234.0, 5.0, 31.0, 21.0, 5.0]);
        assert_eq!(parts(-62_167_219_200)[..3], [0.0, 1.0, 1.0]);
        assert_eq!(parts(-62_167_219_201)[..3], [-1.0, 12.0, 31.0]);
    }
}
