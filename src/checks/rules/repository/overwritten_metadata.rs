//! A removal in raw metadata that a block would replace.

use crate::graph_data::FileKind;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP507",
    name: "overwritten-metadata",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Warning,
    summary: "`previous.remove_regex` in raw metadata, which any block of the release replaces",
    explanation: "\
A block sets this same key on its target release, and the service applies blocks after
raw metadata. A block of the same release replaces the value here, and a risk appends to
it. Declare the pattern in `blocked-edges/` instead.",
    bad: "\
{\"4.14.3\": {\"io.openshift.upgrades.graph.previous.remove_regex\": \"4[.]13[.].*\"}}",
    good: "\
to: 4.14.3
from: 4[.]13[.].*",
    check: Check::File(check),
};

const KEY: &str = "io.openshift.upgrades.graph.previous.remove_regex";

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.file.kind != FileKind::RawMetadata {
        return;
    }
    let Some(document) = subject.document() else { return };
    for release in document.entries(document.root()) {
        if let Some(entry) = document.entry(release.value, KEY) {
            findings.push(
                Finding::at(
                    &RULE,
                    subject.span(entry.key),
                    format!(
                        "if a file in `blocked-edges/` blocks updates to `{}`, its pattern replaces this one",
                        subject.quoted(release.key)
                    ),
                )
                .help("declare it in `blocked-edges/` instead"),
            );
        }
    }
}
