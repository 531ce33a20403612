//! The values of flags: how they are written, and what to write instead of something else.

use crate::domain::time::parse_time;
use crate::domain::{Minor, Version, version};
use crate::pools::MaxUnavailable;
use crate::text::Failure;

/// `value`, or a failure that says what was expected.
pub(super) fn expected<T>(value: Option<T>, what: &str, example: &str) -> Result<T, Failure> {
    let failure = || Failure::new(format!("it is not {what}")).hint(format!("write {example}"));
    value.ok_or_else(failure)
}

/// The seconds since 1970 of `2026-01-31` or `2026-01-31T12:00:00Z`.
pub(super) fn moment(text: &str) -> Result<i64, Failure> {
    let time = parse_time(text).or_else(|| start_of_day(text));
    let time = time.map(|time| time.div_euclid(1000));
    expected(time, "a day or a time", "a day like 2026-01-31, or a time like 2026-01-31T12:00:00Z")
}

/// The seconds since 1970 of a day or a time. None if the text is a git revision.
pub(super) fn moment_if_any(text: &str) -> Option<i64> {
    let is_like_one = text.contains('-') && text.starts_with(|c: char| c.is_ascii_digit());
    moment(text).ok().filter(|_| is_like_one)
}

/// The beginning of a day, in seconds since 1970.
pub(super) fn day(text: &str) -> Result<i64, Failure> {
    let time = start_of_day(text).map(|time| time.div_euclid(1000));
    expected(time, "a day", "a day like 2026-08-21")
}

fn start_of_day(text: &str) -> Option<i64> {
    parse_time(&format!("{text}T00:00:00Z"))
}

/// A time in milliseconds since 1970.
pub(super) fn time(text: &str) -> Result<i64, Failure> {
    let example = "seconds since 1970, or a time like 2026-01-01T12:00:00Z";
    expected(parse_time(text), "a time", example)
}

pub(super) fn minor(text: &str) -> Result<Minor, Failure> {
    expected(Minor::parse(text), "a minor version", "a minor version like 4.20")
}

pub(super) fn release(text: &str) -> Result<Version, Failure> {
    let version = version::parse(text).filter(|version| version.build.is_empty());
    expected(version, "a release", "a release like 4.18.20")
}

/// A number or a percentage.
pub(super) fn max_unavailable(text: &str) -> Result<MaxUnavailable, Failure> {
    let number = text.parse().ok().map(MaxUnavailable::Number);
    let is_percentage = text.strip_suffix('%').is_some_and(|number| number.parse::<u32>().is_ok());
    let percentage = is_percentage.then(|| MaxUnavailable::Text(text.to_owned()));
    expected(
        number.or(percentage),
        "a number or a percentage",
        "a number, or a percentage like 30%",
    )
}
