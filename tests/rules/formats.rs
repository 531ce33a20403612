//! The reports of a rule's findings follow the schemas of their formats.

use std::fs;
use std::sync::OnceLock;

use exitpath::testing::rules::Rule;
use exitpath::testing::schema;
use jsonschema::Validator;
use serde_json::Value;

use crate::shared::rule_examples::check_example;
use crate::shared::say;

pub(crate) fn judge(rule: &Rule) {
    follows(rule, "json", schema::CHECK_REPORT.validator());
    if let Some(official) = official_sarif() {
        follows(rule, "sarif", official);
    }
}

fn follows(rule: &Rule, format: &str, schema: &Validator) {
    let run = check_example(rule, "bad", &["--format", format]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let fault =
        |error: jsonschema::ValidationError<'_>| format!("{error} at {}", error.instance_path());
    let faults: Vec<String> = schema.iter_errors(&report).map(fault).collect();
    assert!(faults.is_empty(), "the report as {format} does not follow its schema: {faults:#?}");
}

/// The official schema is not a part of this project. CI fetches it and sets the variable.
fn official_sarif() -> Option<&'static Validator> {
    static SCHEMA: OnceLock<Option<Validator>> = OnceLock::new();
    let read = || {
        let Some(path) = std::env::var_os("EXITPATH_SARIF_SCHEMA") else {
            say(
                "note: SARIF reports are not checked, because EXITPATH_SARIF_SCHEMA names no schema",
            );
            return None;
        };
        let mut official: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        // One pattern of the published schema has a stray bracket, so no strict reader compiles it.
        for part in ["run", "toolComponent"] {
            let language = format!("/definitions/{part}/properties/language");
            official.pointer_mut(&language).unwrap().as_object_mut().unwrap().remove("pattern");
        }
        Some(jsonschema::validator_for(&official).unwrap())
    };
    SCHEMA.get_or_init(read).as_ref()
}
