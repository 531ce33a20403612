//! The report of `promql check`: the findings of the rules about queries.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::{Coverage, Verdict};
use crate::domain::{Named, Severity};
use crate::report::{CheckFormat, CheckReport, Style};
use crate::rules::Place;
use crate::text::printable_json;

use super::coverage::{witness_json, write_coverage, write_verdict};

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

/// Writes what was found in a query. Without a coverage, Prometheus cannot read it.
pub(crate) fn write_query_check(
    report: &CheckReport<'_>,
    coverage: Option<&Coverage>,
    format: QueryCheckFormat,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        QueryCheckFormat::Human => {
            report.write(CheckFormat::Human, style, out)?;
            coverage.map_or(Ok(()), |coverage| {
                writeln!(out)?;
                match unproved(report, coverage) {
                    Some(note) => write_verdict(Verdict::NotDecided, note, style, out),
                    None => write_coverage(coverage, style, out),
                }
            })
        }
        QueryCheckFormat::Concise => report.write(CheckFormat::Concise, style, out),
        QueryCheckFormat::Json => {
            let document = document(report, coverage);
            writeln!(out, "{}", printable_json(&document.to_string()))
        }
    }
}

/// Nothing is proved of a query with an error, and this says so.
fn unproved(report: &CheckReport<'_>, coverage: &Coverage) -> Option<&'static str> {
    let has_error = report.findings().iter().any(|found| found.severity == Severity::Error);
    let is_proved = coverage.verdict == Verdict::Proved;
    (is_proved && has_error).then_some("not decided because of the errors")
}

fn document(report: &CheckReport<'_>, coverage: Option<&Coverage>) -> Json {
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
    let (verdict, note) = match coverage {
        Some(coverage) => match unproved(report, coverage) {
            Some(note) => (Verdict::NotDecided, note),
            None => (coverage.verdict, coverage.note.as_str()),
        },
        None => (Verdict::CanGoWrong, "clusters cannot read the query"),
    };
    json!({
        "version": 1,
        "verdict": verdict.name(),
        "witnesses": witnesses(report, coverage),
        "note": note,
        "findings": findings.collect::<Vec<_>>(),
    })
}

fn witnesses(report: &CheckReport<'_>, coverage: Option<&Coverage>) -> Vec<Json> {
    if let Some(coverage) = coverage {
        return coverage.witnesses.iter().map(witness_json).collect();
    }
    // A query that is not valid fails on every cluster, even on one without series.
    let first = report.findings().iter().find(|found| found.severity == Severity::Error);
    let witness =
        first.map(|found| json!({"outcome": "error", "series": [], "blame": blame(&found.place)}));
    witness.into_iter().collect()
}

/// The bytes of the query.
fn blame(place: &Place) -> Json {
    match place {
        Place::Text(span) => json!({"start": span.start, "end": span.end}),
        _ => Json::Null,
    }
}
