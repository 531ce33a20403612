//! A file that looks right, but that the service's parser rejects.

use crate::graph_data::{Affected, BlockedEdge, FileKind, LoadVerdict};
use crate::rules::{Check, Family, Finding, Place, Properties, RULES, Rule, Severity, Subject};
use crate::schema::Fault;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP008",
    name: "production-rejects",
    properties: Properties::USUAL,
    family: Family::File,
    severity: Severity::Error,
    summary: "a file that the service's parser rejects for a reason that no other rule covers",
    explanation: "\
If a file does not match its schema, or is not plain YAML, exitpath also gives it to the
parser that the service uses. If that parser rejects it for a reason that no other rule
covers (a byte order mark, a tab after a dash), the service drops the file in production,
like any other broken file.",
    bad: "\\uFEFFto: 4.14.3    (a byte order mark before the first key)",
    good: "to: 4.14.3",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let LoadVerdict::Drops { why, at } = &subject.file.verdict else { return };
    if is_reported_elsewhere(subject) {
        return;
    }
    let text = subject.text();
    if text.starts_with('\u{FEFF}') {
        let mark = Span::new(subject.file.id, 0..'\u{FEFF}'.len_utf8());
        findings.push(
            Finding::at(&RULE, mark, "an invisible byte order mark precedes the first key, so the service drops the file")
                .help("save the file as UTF-8 without a byte order mark")
                .fix("delete the byte order mark", mark, ""),
        );
        return;
    }
    let place = at.filter(|at| *at < text.len()).map_or(Place::File(subject.file.id), |at| {
        let start = text.floor_char_boundary(at);
        let line = text[start..].lines().next().unwrap_or_default();
        Place::Text(Span::new(subject.file.id, start..start + line.len()))
    });
    findings.push(
        Finding::on(&RULE, place, format!("the service's parser rejects this file: {why}"))
            .help("use simpler YAML: ordinary keys, text in quotes, no tags or anchors"),
    );
}

/// Whether another rule reports the reason.
fn is_reported_elsewhere(subject: &Subject<'_>) -> bool {
    let file = subject.file;
    let Some(document) = file.document() else { return true };
    file.kind == FileKind::SchemaVersion
        || file.faults.iter().any(|fault| is_reported_as_error(subject, fault))
        || document.second_document().is_some()
        || !file.duplicate_keys().is_empty()
        || subject.text().contains(['\u{85}', '\u{2028}', '\u{2029}'])
        || has_a_broken_pattern(subject)
        || is_a_draft(subject)
}

fn is_reported_as_error(subject: &Subject<'_>, fault: &Fault) -> bool {
    RULES.iter().filter(|rule| rule.severity == Severity::Error).any(|rule| match rule.check {
        Check::Fault(check) => check(subject, fault).is_some(),
        _ => false,
    })
}

fn has_a_broken_pattern(subject: &Subject<'_>) -> bool {
    let from = subject.file.text("from");
    from.is_some_and(|from| subject.data.patterns.error(&from.value).is_some())
}

fn is_a_draft(subject: &Subject<'_>) -> bool {
    let is_draft = |edge: &BlockedEdge| matches!(edge.affected, Affected::Clusters { .. });
    subject.data.blocked_edges.iter().any(|edge| edge.file == subject.file.id && is_draft(edge))
}
