//! Times, as the operator writes them.

/// The time of day of a moment in milliseconds since 1970: `10:05:00Z`.
pub(super) fn time_of_day(time: i64) -> String {
    let seconds = time.div_euclid(1000).rem_euclid(86_400);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}Z", seconds % 60)
}
