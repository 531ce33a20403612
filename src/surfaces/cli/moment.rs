//! Days and times on the command line.

use crate::domain::time::parse_time;

/// The seconds since 1970 of `2026-01-31` or `2026-01-31T12:00:00Z`.
pub(super) fn moment(text: &str) -> Result<i64, String> {
    let time = parse_time(text).or_else(|| parse_time(&format!("{text}T00:00:00Z")));
    let expected =
        || format!("`{text}` is not a day like 2026-01-31 or a time like 2026-01-31T12:00:00Z");
    time.map(|time| time.div_euclid(1000)).ok_or_else(expected)
}

/// Whether a text is a day or a time, and not a git revision.
pub(super) fn is_moment(text: &str) -> bool {
    text.contains('-') && text.starts_with(|c: char| c.is_ascii_digit()) && moment(text).is_ok()
}
