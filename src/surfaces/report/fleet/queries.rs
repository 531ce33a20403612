//! The queries that count clusters in a telemetry store.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Format;
use crate::promql::{laid_out, parse};
use crate::report::Style;
use crate::report::json::write_json_line;
use crate::report::printed::{Printed, Writer};
use crate::telemetry::{AskedRisk, ClusterIds, counting_own_words, counting_query};
use crate::text::printable;

/// The queries of some risks.
#[derive(Debug, Serialize)]
pub(crate) struct FleetQueriesReport {
    version: u32,
    queries: Vec<CountingQuery>,
    /// Counts clusters by what their operators say of all risks.
    own_words: String,
}

/// The queries of a risk.
#[derive(Debug, Serialize)]
struct CountingQuery {
    risk: String,
    /// None if the risk's query cannot be rewritten.
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    /// Why the risk's query cannot be rewritten.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// How wide queries are.
const WIDTH: usize = 100;

impl FleetQueriesReport {
    pub(crate) fn of(risks: impl Iterator<Item = AskedRisk>, ids: &ClusterIds<'_>) -> Self {
        let queries = risks.map(|risk| {
            let (query, refused) = match counting_query(&risk, ids) {
                Ok(query) => (Some(lines(&query)), None),
                Err(why) => (None, Some(why.to_string())),
            };
            CountingQuery { risk: risk.name, query, refused }
        });
        let own_words = lines(&counting_own_words(ids));
        Self { version: 1, queries: queries.collect(), own_words }
    }

    /// Whether a risk has no query.
    pub(crate) fn is_bad(&self) -> bool {
        self.queries.iter().any(|query| query.refused.is_some())
    }
}

fn lines(query: &str) -> String {
    parse(query).map_or_else(|_| query.to_owned(), |read| laid_out(query, &read, WIDTH))
}

impl Printed for FleetQueriesReport {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human,
            Format::Json => |report, _, out| write_json_line(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

fn human(report: &FleetQueriesReport, _: Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "# Clusters by release and channel. The label `affected` is 1 if the risk affects them, 0 if not;\n\
         # otherwise they cannot tell."
    )?;
    for CountingQuery { risk, query, refused } in &report.queries {
        let risk = printable(risk);
        match (query, refused) {
            (Some(query), _) => writeln!(out, "\n# {risk}\n{query}")?,
            (None, why) => {
                let why = why.as_deref().unwrap_or_default();
                writeln!(out, "\n# {risk}: there is no query: {}", printable(why))?;
            }
        }
    }
    writeln!(out, "\n# All risks, as operators say (4.22 and newer)\n{}", report.own_words)
}
