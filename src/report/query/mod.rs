//! The reports of `promql`. That of `eval`: what a query answers, what a cluster makes of it, and
//! why.

mod check;
mod coverage;
mod excerpt;
mod human;
mod json;
mod metrics;
mod words;

use std::io::{self, Write};

use crate::cluster::{Explanation, Exposure};
use crate::domain::Named;
use crate::metrics::QueryError;
use crate::promql::Value;

use super::Style;

pub(crate) use check::{QueryCheckFormat, write_query_check};
pub(crate) use coverage::CheckedQuery;
pub(crate) use human::write_explanation;
pub(crate) use metrics::{AgainstReport, write_metrics};
pub(crate) use words::answer_in_words;

/// What a query answers.
#[derive(Debug)]
pub(crate) struct QueryReport<'a> {
    pub text: &'a str,
    /// When it is asked, in milliseconds since 1970.
    pub time: i64,
    pub answer: &'a Result<Value, QueryError>,
    /// The error says why that is not known.
    pub exposure: &'a Result<Exposure, QueryError>,
    /// `None` if the query is not valid.
    pub explanation: Option<&'a Explanation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryFormat {
    Human,
    Json,
}

impl Named for QueryFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }
}

impl QueryReport<'_> {
    pub(crate) fn write(
        &self,
        format: QueryFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            QueryFormat::Human => human::write(self, style, out),
            QueryFormat::Json => json::write(self, out),
        }
    }
}
