//! The report of `promote`: which releases the bot promotes, and what holds back the others.

mod human;
mod json;

use crate::authoring::Promotion;
use crate::domain::Format;
use crate::domain::time::{day, time_of_day};
use crate::report::printed::{Printed, Writer};

/// The releases that wait in feeders.
#[derive(Debug)]
pub(crate) struct PromotionsReport<'a> {
    pub promotions: &'a [Promotion<'a>],
    /// In seconds since 1970.
    pub now: i64,
    /// Whether the files of channels have the promoted releases.
    pub is_written: bool,
}

impl Printed for PromotionsReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

/// A time in seconds since 1970, to the minute: the bot looks every few minutes.
fn moment(time: i64) -> String {
    let clock = time_of_day(time.saturating_mul(1000));
    format!("{} {} UTC", day(time), clock.get(..5).unwrap_or_default())
}
