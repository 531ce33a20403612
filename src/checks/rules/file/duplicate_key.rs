//! A key written twice in one mapping.

use crate::graph_data::LoadVerdict;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP004",
    name: "duplicate-key",
    properties: Properties::USUAL,
    family: Family::File,
    severity: Severity::Error,
    summary: "the same key twice in one mapping",
    explanation: "\
Readers disagree about a key that is written twice. The service drops the whole file
(`duplicate field`). The maintainers' Python scripts silently take the last value.
The service uses neither value.",
    bad: "\
to: 4.14.3
from: 4[.]13[.].*
to: 4.14.4",
    good: "\
to: 4.14.3
from: 4[.]13[.].*",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !subject.file.kind.is_data() {
        return;
    }
    let help = match subject.file.verdict {
        LoadVerdict::Drops { .. } | LoadVerdict::Panics => {
            "keep one of the two; the service drops the file"
        }
        LoadVerdict::Loads | LoadVerdict::NotAsked => {
            "keep one of the two; readers disagree about which one counts"
        }
    };
    for (key, earlier) in subject.file.duplicate_keys() {
        let message = format!("the key `{}` appears here a second time", subject.quoted(key));
        findings.push(
            Finding::at(&RULE, subject.span(key), message)
                .related(subject.span(earlier), "it first appears here")
                .help(help),
        );
    }
}
