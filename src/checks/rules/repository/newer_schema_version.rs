//! A schema version that the service does not know yet.

use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP503",
    name: "newer-schema-version",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Warning,
    summary: "a schema version newer than any that the service knows",
    explanation: "\
The service reads any version 1.x, and notes in its log that a version above 1.2 is new
to it. It does not support anything that the newer schema adds.",
    bad: "1.7.0",
    good: "1.1.0",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let Some(declared) = &data.schema_version else { return };
    if declared.version.as_ref().is_some_and(|v| v.major == 1 && v.minor > 2) {
        let message = format!(
            "schema version `{}` is newer than any that the service knows",
            declared.text.value
        );
        findings.push(Finding::at(&RULE, declared.text.span, message).help(
            "the service reads the data as 1.1; write `1.1.0` unless you use a newer service",
        ));
    }
}
