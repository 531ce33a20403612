//! JSON for other programs. The format has its own version and its own types;
//! `schemas/check-report.json` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Named;
use crate::report::json::write_json;
use crate::rules::Finding;
use crate::text::Position;

use crate::report::change;

use super::CheckReport;

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    tool: ToolJson,
    summary: SummaryJson,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    findings: Vec<FindingJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<change::ChangeJson<'a>>,
}

#[derive(Serialize)]
struct ToolJson {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct SummaryJson {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pre_existing: Option<usize>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    code: &'static str,
    rule: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    installs: &'a [String],
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<PositionJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<PositionJson>,
    related: Vec<RelatedJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixJson<'a>>,
}

#[derive(Serialize)]
struct PositionJson {
    line: usize,
    column: usize,
    offset: usize,
}

#[derive(Serialize)]
struct RelatedJson<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<PositionJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<PositionJson>,
    message: &'a str,
}

#[derive(Serialize)]
struct FixJson<'a> {
    message: &'a str,
    edits: Vec<EditJson<'a>>,
}

#[derive(Serialize)]
struct EditJson<'a> {
    path: &'a str,
    start: usize,
    end: usize,
    text: &'a str,
}

impl From<Position> for PositionJson {
    fn from(position: Position) -> Self {
        Self { line: position.line, column: position.column, offset: position.offset }
    }
}

pub(super) fn write(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts();
    let output = ReportJson {
        version: 1,
        tool: ToolJson { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        summary: SummaryJson {
            files: report.files.len(),
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.infos,
            pre_existing: report.outcome.pre_existing,
        },
        remarks: report.remarks,
        findings: report.findings().iter().map(|found| finding(report, found)).collect(),
        change: report.change.map(change::ChangeJson::of),
    };
    write_json(&output, out)
}

fn finding<'a>(report: &'a CheckReport<'_>, found: &'a Finding) -> FindingJson<'a> {
    let (start, end) = report.range(&found.place).unzip();
    FindingJson {
        code: found.rule.code,
        rule: found.rule.name,
        severity: found.severity.name(),
        message: &found.message,
        help: found.help.as_deref(),
        opm: found.opm_words.as_deref(),
        package: found.catalog.package.as_deref(),
        channel: found.catalog.channel.as_deref(),
        entry: found.catalog.entry.as_deref(),
        role: found.catalog.role.map(Named::name),
        installs: &found.catalog.installs,
        path: report.path(&found.place),
        start: start.map(PositionJson::from),
        end: end.map(PositionJson::from),
        related: found
            .related
            .iter()
            .map(|related| {
                let (start, end) = report.range(&related.place).unzip();
                RelatedJson {
                    path: report.path(&related.place),
                    start: start.map(PositionJson::from),
                    end: end.map(PositionJson::from),
                    message: &related.message,
                }
            })
            .collect(),
        fix: found.fix.as_ref().map(|fix| FixJson {
            message: &fix.message,
            edits: fix
                .edits
                .iter()
                .map(|edit| EditJson {
                    path: report.sources.path(edit.span.source),
                    start: report.positions(edit.span).0.offset,
                    end: report.positions(edit.span).1.offset,
                    text: &edit.text,
                })
                .collect(),
        }),
    }
}
