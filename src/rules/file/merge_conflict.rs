//! Markers that a merge left behind.

use std::ops::Range;

use crate::graph_data::Kind;
use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP003",
    name: "merge-conflict",
    aliases: &[],
    family: Family::File,
    severity: Severity::Error,
    summary: "merge-conflict markers left in a file",
    explanation: "\
`<<<<<<<`, `=======`, and `>>>>>>>` mark two versions of a text that a merge could not
join. With these markers, the file is not YAML, so the service drops it: a channel
disappears, or a block no longer applies.",
    bad: "\
versions:
<<<<<<< HEAD
- 4.15.3
=======
- 4.15.2
>>>>>>> promote-4.15.2",
    good: "\
versions:
- 4.15.2
- 4.15.3",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.file.kind == Kind::Stray {
        return;
    }
    let mut markers = conflict_markers(subject.text()).into_iter();
    let Some(first) = markers.next() else { return };
    let span = |range| Span::new(subject.file.id, range);
    let mut finding = Finding::at(&RULE, span(first), "this is an unresolved merge conflict")
        .help("choose between the two versions, and delete the marker lines");
    for marker in markers.take(5) {
        finding = finding.related(span(marker), "the conflict continues here");
    }
    findings.push(finding);
}

/// The marker lines of `text`; none unless a conflict begins or ends somewhere.
pub(in crate::rules) fn conflict_markers(text: &str) -> Vec<Range<usize>> {
    let mut markers = Vec::new();
    if !text.contains("<<<<<<<") && !text.contains(">>>>>>>") {
        return markers;
    }
    let mut start = 0;
    let (mut begins, mut ends) = (false, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let is = |marker: &str| {
            content
                .strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        begins |= is("<<<<<<<");
        ends |= is(">>>>>>>");
        if is("<<<<<<<") || is("=======") || is(">>>>>>>") || is("|||||||") {
            markers.push(start..start + content.len());
        }
        start += line.len();
    }
    if begins || ends { markers } else { Vec::new() }
}
