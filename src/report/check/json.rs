//! JSON for other programs. Its shape has a version of its own, apart from the
//! types inside; `schemas/check-report.json` describes it.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Named;
use crate::text::{Position, is_printable};

use crate::report::change;

use super::CheckReport;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    tool: Tool,
    summary: Summary,
    findings: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<change::Document<'a>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<usize>,
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'static str,
    rule: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Place>,
    related: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fix<'a>>,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
    offset: usize,
}

#[derive(Serialize)]
struct Related<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Place>,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    message: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    path: &'a str,
    start: usize,
    end: usize,
    text: &'a str,
}

impl From<Position> for Place {
    fn from(position: Position) -> Self {
        Self { line: position.line, column: position.column, offset: position.offset }
    }
}

pub(super) fn write(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts();
    let output = Output {
        version: 1,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        summary: Summary {
            files: report.files.len(),
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.infos,
            standing: report.outcome.pre_existing,
        },
        findings: report.findings().iter().map(|found| finding(report, found)).collect(),
        change: report.change.map(change::Document::of),
    };
    write_value(&output, out)
}

/// JSON in which every character that could harm a terminal is an escape.
pub(super) fn write_value(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let json = serde_json::to_string_pretty(value)?;
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        // Outside of texts JSON has nothing but ASCII and line feeds.
        if c == '\n' || is_printable(c) {
            safe.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
    }
    writeln!(out, "{safe}")
}

fn finding<'a>(report: &'a CheckReport<'_>, found: &'a crate::rules::Finding) -> Finding<'a> {
    let (start, end) = report.range(&found.place).unzip();
    Finding {
        code: found.rule.code,
        rule: found.rule.name,
        severity: found.severity.name(),
        message: &found.message,
        help: found.help.as_deref(),
        path: report.path(&found.place),
        start: start.map(Place::from),
        end: end.map(Place::from),
        related: found
            .related
            .iter()
            .map(|related| {
                let (start, end) = report.range(&related.place).unzip();
                Related {
                    path: report.path(&related.place),
                    start: start.map(Place::from),
                    end: end.map(Place::from),
                    message: &related.message,
                }
            })
            .collect(),
        fix: found.fix.as_ref().map(|fix| Fix {
            message: &fix.message,
            edits: fix
                .edits
                .iter()
                .map(|edit| Edit {
                    path: report.sources.path(edit.span.source),
                    start: edit.span.start,
                    end: edit.span.end,
                    text: &edit.text,
                })
                .collect(),
        }),
    }
}
