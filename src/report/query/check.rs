//! The report of `promql check`: the findings of the rules about queries.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::domain::{Named, Severity};
use crate::report::{CheckFormat, CheckReport, Style};
use crate::rules::Place;
use crate::text::printable_json;

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

/// Writes what was found in a query. `is_valid` says whether Prometheus can read it.
pub(crate) fn write_query_check(
    report: &CheckReport<'_>,
    is_valid: bool,
    format: QueryCheckFormat,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        QueryCheckFormat::Human => report.write(CheckFormat::Human, style, out),
        QueryCheckFormat::Concise => report.write(CheckFormat::Concise, style, out),
        QueryCheckFormat::Json => {
            let document = document(report, is_valid);
            writeln!(out, "{}", printable_json(&document.to_string()))
        }
    }
}

fn document(report: &CheckReport<'_>, is_valid: bool) -> Json {
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
    // A query that is not valid fails on every cluster, even on one without series.
    let first = report.findings().iter().find(|found| found.severity == Severity::Error);
    let witness =
        first.map(|found| json!({"outcome": "error", "series": [], "blame": blame(&found.place)}));
    let (verdict, note) = if is_valid {
        ("not-decided", "this version of exitpath does not prove what a valid query answers")
    } else {
        ("can-go-wrong", "clusters cannot read the query")
    };
    json!({
        "version": 1,
        "verdict": verdict,
        "witnesses": witness.filter(|_| !is_valid).into_iter().collect::<Vec<_>>(),
        "note": note,
        "findings": findings.collect::<Vec<_>>(),
    })
}

/// The bytes of the query.
fn blame(place: &Place) -> Json {
    match place {
        Place::Text(span) => json!({"start": span.start, "end": span.end}),
        _ => Json::Null,
    }
}
