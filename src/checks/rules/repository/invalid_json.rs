//! `raw/metadata.json` that is not valid JSON.

use crate::graph_data::{FileKind, NoDocument};
use crate::rules::shared::files::conflict_markers;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Subject};
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP506",
    name: "invalid-json",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Error,
    summary: "`raw/metadata.json` is not valid JSON",
    explanation: "\
The service reads this file as JSON, which does not allow comments or a comma after the
last entry. If it cannot read the file, it does not build a new graph at all.",
    bad: "\
{
  \"4.1.0\": {},
}",
    good: "\
{
  \"4.1.0\": {}
}",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.file.kind != FileKind::RawMetadata || !conflict_markers(subject.text()).is_empty() {
        return;
    }
    let (offset, why) = match &subject.file.document {
        Err(NoDocument::NotJson(offset, why)) => (*offset, why.as_str()),
        _ => return,
    };
    let text = subject.text();
    if text.starts_with('\u{FEFF}') {
        let mark = Span::new(subject.file.id, 0..'\u{FEFF}'.len_utf8());
        let message = "an invisible byte order mark precedes the JSON, so the service does not build a new graph";
        findings.push(
            Finding::at(&RULE, mark, message)
                .help("save the file as UTF-8 without a byte order mark")
                .fix("delete the byte order mark", mark, ""),
        );
        return;
    }
    let place = if text.trim().is_empty() {
        Place::File(subject.file.id)
    } else {
        let length = text[offset..].chars().next().map_or(0, char::len_utf8);
        Place::Text(Span::new(subject.file.id, offset..offset + length))
    };
    let message =
        format!("this is not valid JSON, so the service does not build a new graph: {why}");
    findings.push(
        Finding::on(&RULE, place, message)
            .help("JSON does not allow comments, or a comma before a closing bracket"),
    );
}
