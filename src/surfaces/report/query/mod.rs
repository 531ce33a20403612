//! The reports of `promql`. This is the report of `eval`: what a query answers, what a cluster
//! concludes from it, and why.

mod check;
mod coverage;
mod excerpt;
mod human;
mod json;
mod metrics;
mod words;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use crate::cluster::{Explanation, Exposure};
use crate::metrics::QueryError;
use crate::promql::Value;

pub(crate) use check::QueryCheckReport;
pub(crate) use coverage::CheckedQuery;
pub(crate) use human::write_explanation;
pub(crate) use metrics::{AgainstReport, MetricsReport};
pub(crate) use words::answer_in_words;

/// What a query answers.
#[derive(Debug)]
pub(crate) struct QueryReport<'a> {
    pub text: &'a str,
    /// The time of the query, in milliseconds since 1970.
    pub time: i64,
    pub answer: &'a Result<Value, QueryError>,
    /// The error says why the exposure is unknown.
    pub exposure: &'a Result<Exposure, QueryError>,
    /// None if the query is invalid.
    pub explanation: Option<&'a Explanation>,
}

impl Printed for QueryReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}
