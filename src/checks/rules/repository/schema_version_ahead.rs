//! Schema 1.2, which the service reads but these schemas do not describe.

use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP504",
    name: "schema-version-ahead",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Info,
    summary: "schema 1.2, which the service reads, but which exitpath checks as 1.1",
    explanation: "\
The service accepts 1.2 silently. There is no published schema for what 1.2 adds to 1.1,
so exitpath checks the data as 1.1.",
    bad: "1.2.0",
    good: "1.1.0",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let Some(declared) = &data.schema_version else { return };
    if declared.version.as_ref().is_some_and(|v| v.major == 1 && v.minor == 2) {
        let message = "the service reads schema 1.2; exitpath checks the data as 1.1";
        findings.push(Finding::at(&RULE, declared.text.span, message).help("no action is needed"));
    }
}
