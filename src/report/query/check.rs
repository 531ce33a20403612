//! The report of `promql check`: the findings of the rules about queries.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::Verdict;
use crate::domain::{Named, Severity};
use crate::report::json::write_json_line;
use crate::report::{CheckFormat, CheckReport, Style};
use crate::rules::Place;

use super::coverage::{CheckedQuery, write_verdict};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryCheckFormat {
    Human,
    Concise,
    Json,
}

impl Named for QueryCheckFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Concise, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Concise => "concise",
            Self::Json => "json",
        }
    }
}

/// Writes what was found in a query. One that is not checked cannot be read by Prometheus.
pub(crate) fn write_query_check(
    report: &CheckReport<'_>,
    checked: Option<&CheckedQuery<'_>>,
    format: QueryCheckFormat,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        QueryCheckFormat::Human => {
            report.write(CheckFormat::Human, style, out)?;
            checked.map_or(Ok(()), |checked| {
                writeln!(out)?;
                match unproved(report, checked) {
                    Some(note) => {
                        write_verdict(Verdict::NotDecided, note, style, out)?;
                        checked.write_examples(style, out)
                    }
                    None => checked.write(style, out),
                }
            })
        }
        QueryCheckFormat::Concise => report.write(CheckFormat::Concise, style, out),
        QueryCheckFormat::Json => {
            let document = document(report, checked);
            write_json_line(&document, out)
        }
    }
}

/// Nothing is proved of a query with an error, and this says so.
fn unproved(report: &CheckReport<'_>, checked: &CheckedQuery<'_>) -> Option<&'static str> {
    let has_error = report.findings().iter().any(|found| found.severity == Severity::Error);
    let is_proved = checked.coverage.verdict == Verdict::Proved;
    (is_proved && has_error).then_some("not decided because of the errors")
}

fn document(report: &CheckReport<'_>, checked: Option<&CheckedQuery<'_>>) -> Json {
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
        document["verdict"] = Verdict::NotDecided.name().into();
        document["note"] = note.into();
    }
    document["version"] = 1.into();
    document["findings"] = findings.collect();
    document
}

/// A query that is not valid fails on every cluster, even on one without series.
fn unread_json(report: &CheckReport<'_>) -> Json {
    let first = report.findings().iter().find(|found| found.severity == Severity::Error);
    let witness =
        first.map(|found| json!({"outcome": "error", "series": [], "blame": blame(&found.place)}));
    json!({
        "verdict": Verdict::CanGoWrong.name(),
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
