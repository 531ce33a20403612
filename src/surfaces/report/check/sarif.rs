//! SARIF 2.1.0, which code scanning and many editors read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::domain::Named;
use crate::lint::fingerprint;
use crate::report::json::write_json;
use crate::report::rule;
use crate::rules::{Finding, Place, RULES, Rule, Severity};
use crate::text::{SourceId, Span, printable};

use super::CheckReport;

pub(super) fn write(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "%SRCROOT%": {
                "description": { "text": "The folder that the check was run in" },
            }},
            "results": report.findings().iter().map(|f| result(report, f)).collect::<Vec<_>>(),
        }],
    });
    if !report.remarks.is_empty() {
        let text = |remark: &String| printable(remark).into_owned();
        let remarks = report.remarks.iter().map(text);
        let notifications: Vec<Value> = remarks
            .map(|text| json!({ "level": "warning", "message": { "text": text } }))
            .collect();
        log["runs"][0]["invocations"] = json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": notifications,
        }]);
    }
    write_json(&log, out)
}

fn descriptor(rule: &Rule) -> Value {
    let example = format!("{}\n\nBad:\n\n{}\n\nGood:\n\n{}", rule.explanation, rule.bad, rule.good);
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.explanation },
        "help": { "text": example, "markdown": rule::markdown(rule) },
        "helpUri": rule::page_url(rule),
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": [rule.family.name()] },
    })
}

fn result(report: &CheckReport<'_>, finding: &Finding) -> Value {
    let index = RULES.iter().position(|rule| rule.code == finding.rule.code);
    let text = match &finding.help {
        Some(help) => format!("{}\n{}", printable(&finding.message), printable(help)),
        None => printable(&finding.message).into_owned(),
    };
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [{ "physicalLocation": physical_location(report, &finding.place) }],
        "partialFingerprints": { "exitpath/v1": fingerprint(report.sources, finding) },
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(id, related)| {
            json!({
                "id": id,
                "message": { "text": printable(&related.message) },
                "physicalLocation": physical_location(report, &related.place),
            })
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(fix) = &finding.fix {
        let mut files: BTreeMap<SourceId, Vec<Value>> = BTreeMap::new();
        for edit in &fix.edits {
            files.entry(edit.span.source).or_default().push(json!({
                "deletedRegion": region(report, edit.span),
                "insertedContent": { "text": edit.text },
            }));
        }
        let changes = files.into_iter().map(|(file, replacements)| {
            json!({
                "artifactLocation": artifact(report, report.sources.path(file)),
                "replacements": replacements,
            })
        });
        result["fixes"] = json!([{
            "description": { "text": fix.message },
            "artifactChanges": changes.collect::<Vec<_>>(),
        }]);
    }
    result
}

fn physical_location(report: &CheckReport<'_>, place: &Place) -> Value {
    let mut physical = json!({ "artifactLocation": artifact(report, report.path(place)) });
    if let Place::Text(span) = place {
        physical["region"] = region(report, *span);
    }
    physical
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn artifact(report: &CheckReport<'_>, path: &str) -> Value {
    json!({ "uri": uri(&report.displayed_path(path)), "uriBaseId": "%SRCROOT%" })
}

/// A relative path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/+".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

fn region(report: &CheckReport<'_>, span: Span) -> Value {
    let (start, end) = report.positions(span);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": start.offset,
        "byteLength": end.offset - start.offset,
    })
}
