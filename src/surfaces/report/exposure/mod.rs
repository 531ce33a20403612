//! The report of `risk exposure`: how long it took from each risk to its first fix.

mod human;
mod json;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

/// The risks with a fix, removed ones included.
#[derive(Debug)]
pub(crate) struct ExposureReport<'a> {
    /// Sorted by time.
    pub risks: Vec<ExposedRisk<'a>>,
    /// How many risks have no fix.
    pub unfixed: usize,
}

/// When a risk was declared, and when a file first said in which release it is fixed. In seconds
/// since 1970.
#[derive(Debug)]
pub(crate) struct ExposedRisk<'a> {
    pub name: &'a str,
    pub declared: i64,
    pub fixed: i64,
}

impl ExposedRisk<'_> {
    fn days(&self) -> i64 {
        // From day to day, as the dates in the report are.
        (self.fixed.div_euclid(DAY) - self.declared.div_euclid(DAY)).max(0)
    }
}

/// In seconds.
const DAY: i64 = 24 * 60 * 60;

impl Printed for ExposureReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}
