//! Moments and days, as people and programs write them.

/// The latest time that RFC 3339 can write, in seconds since 1970: the end of the year 9999.
const LATEST: f64 = 253_402_300_799.0;

/// The milliseconds since 1970 of a time: seconds since 1970, or `2026-01-01T12:00:00Z`.
pub fn parse_time(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    match text.parse::<f64>() {
        Ok(seconds) if is_number => milliseconds(seconds),
        _ => of_date(text),
    }
}

/// A time in milliseconds since 1970 as `2026-01-01T12:00:00Z`.
pub fn write_time(time: i64) -> String {
    format!("{}T{}", day(time.div_euclid(1000)), time_of_day(time))
}

/// The day of a time in seconds since 1970: `2024-03-01`.
pub(crate) fn day(time: i64) -> String {
    let (year, month, day) = date(time.div_euclid(86_400));
    format!("{year:04}-{month:02}-{day:02}")
}

/// The time of day of a moment in milliseconds since 1970: `10:05:00Z`.
pub(crate) fn time_of_day(time: i64) -> String {
    let seconds = time.div_euclid(1000).rem_euclid(86_400);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}Z", seconds % 60)
}

/// The date of a day since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    // Years begin in March here, as in `days_since_1970`.
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

#[allow(clippy::cast_possible_truncation, reason = "the bounds are checked")]
fn milliseconds(seconds: f64) -> Option<i64> {
    (seconds.abs() <= LATEST).then(|| (seconds * 1000.0).round() as i64)
}

/// Parses a time in the format of RFC 3339.
fn of_date(text: &str) -> Option<i64> {
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let (year, month, day) = three(date, '-', [4, 2, 2])?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at(zone);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let (hour, minute, second) = three(clock, ':', [2, 2, 2])?;
    let in_range = (1..=12).contains(&month)
        && (1..=days_of_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 61;
    if !in_range || fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    Some((seconds - offset(zone)?) * 1000 + thousandths)
}

/// The seconds that a zone is ahead of UTC: `Z`, or `+02:00`.
fn offset(zone: &str) -> Option<i64> {
    let (sign, rest) = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => return Some(0),
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

fn three(text: &str, between: char, lengths: [usize; 3]) -> Option<(i64, i64, i64)> {
    let mut parts = text.split(between);
    let mut next = |length| number(parts.next()?, length);
    let found = (next(lengths[0])?, next(lengths[1])?, next(lengths[2])?);
    parts.next().is_none().then_some(found)
}

fn number(digits: &str, length: usize) -> Option<i64> {
    let is_number = digits.len() == length && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

fn days_of_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that a leap day is the last day of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (time, written) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_400, "2000-02-29"),
            (1_709_251_199, "2024-02-29"),
            (1_709_251_200, "2024-03-01"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(time), written);
        }
    }
}
