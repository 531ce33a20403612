//! The report of `promql check`: the findings of the rules about queries.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::ProofVerdict;
use crate::domain::{Format, Named, Severity};
use crate::report::json::write_json_line;
use crate::report::printed::{Printed, Writer};
use crate::report::{CheckReport, Style};
use crate::rules::Place;

use super::coverage::{CheckedQuery, write_verdict};

/// The findings about a query.
#[derive(Clone, Copy)]
pub(crate) struct QueryCheckReport<'a> {
    pub report: &'a CheckReport<'a>,
    /// None if Prometheus cannot read the query.
    pub checked: Option<&'a CheckedQuery<'a>>,
}

impl Printed for QueryCheckReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::write_human,
            Format::Concise => {
                |report, style, out| report.report.write(Format::Concise, style, out)
            }
            Format::Json => |report, _, out| write_json_line(&document(*report), out),
            _ => return None,
        };
        Some(writer)
    }
}

impl QueryCheckReport<'_> {
    fn write_human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        self.report.write(Format::Human, style, out)?;
        let Some(checked) = self.checked else { return Ok(()) };
        writeln!(out)?;
        match unproved(self.report, checked) {
            Some(note) => {
                write_verdict(ProofVerdict::NotDecided, note, style, out)?;
                checked.write_examples(style, out)
            }
            None => checked.write(style, out),
        }
    }
}

/// A note if a query has an error, because nothing is proved then.
fn unproved(report: &CheckReport<'_>, checked: &CheckedQuery<'_>) -> Option<&'static str> {
    let has_error = report.findings().iter().any(|found| found.severity == Severity::Error);
    let is_proved = checked.coverage.verdict == ProofVerdict::Proved;
    (is_proved && has_error).then_some("not decided because of the errors")
}

fn document(QueryCheckReport { report, checked }: QueryCheckReport<'_>) -> Json {
    let findings = report.findings().iter().map(|finding| {
        json!({
            "code": finding.rule.code,
            "rule": finding.rule.name,
            "severity": finding.severity.name(),
            "message": finding.message,
            "help": finding.help,
            "blame": blame(&finding.place),
        })
    });
    let mut document = checked.map_or_else(|| unread_json(report), CheckedQuery::json);
    if let Some(note) = checked.and_then(|checked| unproved(report, checked)) {
        document["verdict"] = ProofVerdict::NotDecided.name().into();
        document["note"] = note.into();
    }
    document["version"] = 1.into();
    document["findings"] = findings.collect();
    document
}

/// An invalid query fails on every cluster, even on one without series.
fn unread_json(report: &CheckReport<'_>) -> Json {
    let first = report.findings().iter().find(|found| found.severity == Severity::Error);
    let witness =
        first.map(|found| json!({"outcome": "error", "series": [], "blame": blame(&found.place)}));
    json!({
        "verdict": ProofVerdict::CanGoWrong.name(),
        "witnesses": witness.into_iter().collect::<Vec<_>>(),
        "note": "clusters cannot read the query",
    })
}

/// The bytes of the query.
fn blame(place: &Place) -> Json {
    match place {
        Place::Text(span) => json!({"start": span.start, "end": span.end}),
        _ => Json::Null,
    }
}
