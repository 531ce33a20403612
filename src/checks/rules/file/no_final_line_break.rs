//! A file whose last line does not end.

use crate::graph_data::FileKind;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::text::Span;
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP010",
    name: "no-final-line-break",
    properties: Properties::USUAL,
    family: Family::File,
    severity: Severity::Info,
    summary: "a file whose last line does not end with a line break",
    explanation: "\
The service reads the file. But a script that appends a line (`>>`) joins it to the last
one, and git shows the last line as changed when somebody adds another.",
    bad: "- 4.14.3 (end of the file)",
    good: "- 4.14.3\\n (end of the file)",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let is_data = matches!(
        subject.file.kind,
        FileKind::BlockedEdge
            | FileKind::Channel
            | FileKind::InternalChannel
            | FileKind::BuildSuggestions
    );
    let text = subject.text();
    if !is_data || text.ends_with('\n') {
        return;
    }
    let Some(ValueKind::Mapping) =
        subject.document().map(|document| document.kind(document.root()))
    else {
        return;
    };
    let end = text.len();
    let start = text.char_indices().next_back().map_or(end, |(at, _)| at);
    let span = Span::new(subject.file.id, start..end);
    findings.push(
        Finding::at(&RULE, span, "the last line of this file does not end with a line break")
            .help("add a line break"),
    );
}
