//! A risk in a repository that promises to have none.

use crate::text::Span;

use super::{Check, Family, Finding, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP505",
    name: "newer-than-declared",
    aliases: &[],
    family: Family::Repository,
    severity: Severity::Warning,
    summary: "keys of schema 1.1 in a repository whose `version` says 1.0",
    explanation: "\
`version` tells readers what to expect. Conditional risks came with schema 1.1; a
reader that knows only 1.0 blocks such an update for every cluster, or drops the
file. Today's service reads the risk whatever `version` says.",
    bad: "\
version                                    1.0.0
blocked-edges/4.14.3-ExampleRisk.yaml      matchingRules: …",
    good: "\
version                                    1.1.0
blocked-edges/4.14.3-ExampleRisk.yaml      matchingRules: …",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let newer = &subject.file.newer_keys;
    let Some(first) = newer.iter().map(|key| subject.span(*key)).min_by_key(|span| span.start)
    else {
        return;
    };
    let declared = subject.data.schema_version.as_ref();
    let written = declared.map_or("1.0.0", |version| version.text.value.as_str());
    let key = subject.data.sources.slice(first);
    let more = match newer.len() {
        1 => String::new(),
        n => format!(" and {} more keys of this file", n - 1),
    };
    let mut finding = Finding::at(
        &RULE,
        first,
        format!("`{key}`{more} came with schema 1.1, and `version` says {written}"),
    )
    .help("write `1.1.0` in `version`");
    if let Some(span) =
        declared.map(|version| version.text.span).filter(|span: &Span| span.start < span.end)
    {
        finding = finding.related(span, "`version` says so here");
    }
    findings.push(finding);
}
