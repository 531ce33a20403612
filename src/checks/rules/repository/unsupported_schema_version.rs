//! A `version` that the service rejects.

use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP502",
    name: "unsupported-schema-version",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Error,
    summary: "a schema version that is not SemVer, or that has a major version other than 1",
    explanation: "\
The file `version` says which schema the data follows. The service reads only major
version 1. It rejects everything else, and keeps serving the last graph that it built.",
    bad: "2.0.0",
    good: "1.1.0",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let unsupported = data.schema_version.as_ref().filter(|declared| !declared.is_supported());
    let Some(declared) = unsupported else { return };
    let place = if declared.text.value.is_empty() {
        Place::File(declared.text.span.source)
    } else {
        Place::Text(declared.text.span)
    };
    let what = match &declared.version {
        Some(_) => {
            format!("the major version of schema version `{}` is not 1", declared.text.value)
        }
        None => format!("`{}` is not a version", shortened(&declared.text.value)),
    };
    findings.push(
        Finding::on(
            &RULE,
            place,
            format!("{what}, so the service does not build a new graph from this repository"),
        )
        .help("write `1.1.0`, the schema that exitpath checks"),
    );
}
