//! Markers that a merge left behind.

use crate::rules::shared::files::conflict_markers;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP003",
    name: "merge-conflict",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
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
    if !subject.file.kind.is_data() {
        return;
    }
    let mut markers = conflict_markers(subject.text()).into_iter();
    let Some(first) = markers.next() else { return };
    let span = |range| Span::new(subject.file.id, range);
    let mut finding = Finding::at(
        &RULE,
        span(first),
        "this is an unresolved merge conflict, so the file cannot be read",
    )
    .help("choose between the two versions, and delete the marker lines");
    for marker in markers.take(5) {
        finding = finding.related(span(marker), "the conflict continues here");
    }
    findings.push(finding);
}
