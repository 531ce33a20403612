//! The report of `risk show`: what a risk says, which updates it is on, and what it means for the
//! sample clusters.

mod human;
mod json;

use std::collections::BTreeSet;

use crate::domain::Format;
use crate::graph_data::{BlockedEdge, GraphData};
use crate::report::printed::{Printed, Writer};
use crate::risks::{Definition, SampleVerdict};

use super::CheckedQuery;

/// The declarations of a risk, and what they mean.
#[derive(Debug)]
pub(crate) struct RiskReport<'a> {
    pub data: &'a GraphData,
    /// The definitions, that of the newest target first.
    pub definitions: Vec<(&'a Definition<'a>, Vec<SampleVerdict>)>,
}

impl Printed for RiskReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl RiskReport<'_> {
    /// What is known about a query. None if it is invalid.
    fn checked(&self, query: &str) -> Option<CheckedQuery<'_>> {
        let queries = &self.data.queries;
        CheckedQuery::of(queries.reading(query)?, queries)
    }

    /// The possible origins of the targets of declarations that their patterns match, oldest first.
    fn reached(&self, edges: &[&BlockedEdge]) -> Vec<&str> {
        let releases = &self.data.releases;
        let mut origins = BTreeSet::new();
        for edge in edges {
            let reached = self.data.reached(edge).unwrap_or_default();
            origins.extend(reached.iter().map(|one| one.release));
        }
        origins.into_iter().map(|id| releases.get(id).text.as_str()).collect()
    }
}
