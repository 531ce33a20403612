//! A file that looks disabled but is not.

use crate::graph_data::{FileKind, Location};
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP007",
    name: "loaded-by-accident",
    properties: Properties::USUAL,
    family: Family::File,
    severity: Severity::Warning,
    summary: "a file with a name that looks disabled, but that the service still loads",
    explanation: "\
The service looks for `yaml` anywhere in the extension, so it loads
`4.14.3.yaml-disabled` like any other file. Tools that look for `*.yaml` miss it.",
    bad: "blocked-edges/4.14.3.yaml-disabled",
    good: "blocked-edges/4.14.3.yaml    (or no such file)",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !matches!(subject.file.kind, FileKind::BlockedEdge | FileKind::Channel) {
        return;
    }
    let Some(extension) = Location::of(subject.path()).extension().filter(|e| *e != "yaml") else {
        return;
    };
    findings.push(
        Finding::on(
            &RULE,
            Place::File(subject.file.id),
            format!("the service loads this file: its extension `.{extension}` contains `yaml`"),
        )
        .help("if you need this file, end its name in `.yaml`; otherwise, delete it"),
    );
}
