//! New texts of files, for programs. The format is versioned, and fields are only added;
//! `schemas/edits.json` describes it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value as Json;

use crate::domain::Format;
use crate::report::Style;
use crate::report::json::write_json;
use crate::report::printed::Printed;

use super::{EditsReport, Written, action};

#[derive(Serialize)]
struct EditsJson<'r> {
    version: u8,
    written: bool,
    commit: Option<&'r str>,
    subject: &'r str,
    files: Vec<FileJson<'r>>,
    notes: &'r [String],
    /// The report of `risk show`. Null unless the risk is new.
    risk: Option<Json>,
    /// The report of `check`.
    check: Json,
}

#[derive(Serialize)]
struct FileJson<'r> {
    path: &'r str,
    action: &'static str,
    /// The new text. Null for a file that is removed.
    text: Option<&'r str>,
}

pub(super) fn write(report: &EditsReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let files = report.plan.files.iter().map(|file| FileJson {
        path: &file.path,
        action: action(file),
        text: file.new.as_deref(),
    });
    let document = EditsJson {
        version: 1,
        written: matches!(report.written, Written::Files | Written::Commit(_)),
        commit: match &report.written {
            Written::Commit(id) => Some(id),
            _ => None,
        },
        subject: &report.plan.subject,
        files: files.collect(),
        notes: &report.plan.notes,
        risk: report.risk.map(|risk| as_json(risk, style)).transpose()?,
        check: as_json(&report.check, style)?,
    };
    write_json(&document, out)
}

/// What another report writes as JSON.
fn as_json<R: Printed>(report: &R, style: Style) -> io::Result<Json> {
    let mut text = Vec::new();
    report.write(Format::Json, style, &mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
