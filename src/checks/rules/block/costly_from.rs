//! A `from` that takes too long to match.

use crate::graph_data::{FileKind, PatternError};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP118",
    name: "costly-from",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that takes too long to match",
    explanation: "\
The service accepts such a pattern, but nested repetitions or thousands of branches make it
very large. exitpath limits the time for all patterns together. It does not match the most
costly ones, so no other rule checks them, and no graph has their files.",
    bad: "from: 4[.]13[.](.{100}){50}",
    good: "from: 4[.]13[.].*",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let from = subject.file.text("from").filter(|_| subject.file.kind == FileKind::BlockedEdge);
    let Some(from) = from else { return };
    if subject.data.patterns.error(&from.value) == Some(&PatternError::TooCostly) {
        findings.push(
            Finding::at(
                &RULE,
                from.span,
                "this pattern takes too long to match, so it is not checked",
            )
            .help("match the versions with a shorter pattern: `4[.]13[.].*` matches all of 4.13"),
        );
    }
}
