//! The report of `risk list`: the risks of a repository, and which releases wait for them.

mod human;
mod json;

use crate::authoring::{RiskInMinor, RiskState};
use crate::domain::Format;
use crate::graph_data::GraphData;
use crate::report::printed::{Printed, Writer};

/// The risks of a repository.
#[derive(Debug)]
pub(crate) struct RiskListReport<'a> {
    pub data: &'a GraphData,
    pub risks: Vec<ListedRisk<'a>>,
    /// How many risks the repository has.
    pub all: usize,
}

#[derive(Debug)]
pub(crate) struct ListedRisk<'a> {
    pub name: &'a str,
    /// When it was first declared, in seconds since 1970. None if git does not know.
    pub since: Option<i64>,
    pub minors: Vec<RiskInMinor<'a>>,
}

impl Printed for RiskListReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl ListedRisk<'_> {
    /// Whether releases wait for it, and somebody still decides about them.
    pub(crate) fn waits(&self) -> bool {
        self.minors
            .iter()
            .any(|minor| matches!(minor.state, RiskState::Waits(_)) && !minor.is_long_past)
    }
}

impl RiskListReport<'_> {
    /// The targets in one minor, as ranges.
    fn targets(&self, minor: &RiskInMinor<'_>) -> String {
        let known: Vec<_> = minor.edges.iter().filter_map(|edge| edge.release).collect();
        let unknown = minor.edges.iter().filter(|edge| edge.release.is_none());
        let unknown = unknown.filter_map(|edge| Some(edge.to.as_ref()?.value.to_string()));
        let ranges = (!known.is_empty()).then(|| self.data.releases.in_ranges(&known));
        ranges.into_iter().chain(unknown).collect::<Vec<_>>().join(", ")
    }
}
