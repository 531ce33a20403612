//! A risk in a repository that declares schema 1.0.

use crate::graph_data::{DataFile, GraphData};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP505",
    name: "newer-than-declared",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Warning,
    summary: "keys of schema 1.1 in a repository whose `version` says 1.0",
    explanation: "\
`version` tells readers what to expect. Schema 1.1 introduced conditional risks. A
reader that knows only 1.0 blocks such an update for all clusters, or drops the file.
The current service ignores `version` and reads the risk.",
    bad: "\
version                                    1.0.0
blocked-edges/4.14.3-ExampleRisk.yaml      matchingRules: …",
    good: "\
version                                    1.1.0
blocked-edges/4.14.3-ExampleRisk.yaml      matchingRules: …",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let first_key = |file: &DataFile| file.newer_keys.iter().map(|key| file.span(*key)).min();
    let newer: Vec<Span> = data.files_by_path().filter_map(first_key).collect();
    let (Some(declared), Some(first)) = (&data.schema_version, newer.first()) else { return };
    let files = match newer.len() {
        1 => "a file uses keys".to_owned(),
        n => format!("{n} files use keys"),
    };
    let version = &declared.text.value;
    let message = format!("this says {version}, but {files} that came with schema 1.1");
    let mut finding = Finding::at(&RULE, declared.text.span, message)
        .about(data.sources.slice(*first))
        .help("write `1.1.0`")
        .fix("write `1.1.0`", declared.text.span, "1.1.0");
    for key in newer {
        finding = finding.related(key, "one such key is here");
    }
    findings.push(finding);
}
