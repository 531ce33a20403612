//! The report of `risk show`: what a risk says, which updates it is on, and what it means for the
//! sample clusters.

mod human;
mod json;

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::domain::Named;
use crate::graph_data::{BlockedEdge, GraphData};
use crate::risks::{Definition, SampleVerdict};

use super::{CheckedQuery, Style};

/// What a risk is.
#[derive(Debug)]
pub(crate) struct RiskReport<'a> {
    pub data: &'a GraphData,
    /// The definition of the newest target first.
    pub definitions: Vec<(&'a Definition<'a>, Vec<SampleVerdict>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RiskFormat {
    Human,
    Json,
}

impl Named for RiskFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }
}

impl RiskReport<'_> {
    pub(crate) fn write(
        &self,
        format: RiskFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            RiskFormat::Human => human::write(self, style, out),
            RiskFormat::Json => json::write(self, out),
        }
    }

    /// What is known of a query. None: it is not valid.
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
