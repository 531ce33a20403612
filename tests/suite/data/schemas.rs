//! The published schemas, and the parts of them that come from the rules.

use exitpath::testing::domain::Named;
use exitpath::testing::rules::{Family, REMOVED, RULES, Rule};
use exitpath::testing::schema;
use serde_json::{Map, Value, json};

use crate::{exitpath, golden};

#[test]
fn every_schema_can_be_printed() {
    let list = exitpath(["schema"]).out;
    for schema in schema::ALL {
        assert!(list.contains(schema.name), "{list}");
        assert_eq!(exitpath(["schema", schema.name]).out, schema.text);
        let whole: Value = serde_json::from_str(schema.text).unwrap();
        let repository = env!("CARGO_PKG_REPOSITORY");
        assert_eq!(whole["$id"], format!("{repository}/schemas/{}.json", schema.name));
    }
    let unknown = exitpath(["schema", "chanel"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("did you mean `channel`?"), "{}", unknown.err);
}

#[test]
fn the_list_of_rules_matches_its_schema() {
    let list: Value = serde_json::from_str(&exitpath(["rules", "--format", "json"]).out).unwrap();
    assert!(schema::RULES.validator().is_valid(&list), "{list}");
    assert_eq!(list.as_array().map(Vec::len), Some(RULES.len()));
}

/// The schema of every rule's and family's severity, by name.
fn levels() -> Map<String, Value> {
    let level = |description: &str| json!({ "description": description, "$ref": "#/$defs/level" });
    let mut rules = Map::new();
    for family in Family::ALL {
        rules.insert(family.name().to_owned(), level("A family of rules."));
    }
    for rule in RULES {
        let description =
            format!("{} ({} by default): {}.", rule.code, default_level(rule), rule.summary);
        rules.insert(rule.name.to_owned(), level(&description));
    }
    for removed in REMOVED {
        for name in removed.names {
            let mut level = level(&format!("{}: removed in {}.", removed.code, removed.since));
            level["deprecated"] = json!(true);
            rules.insert((*name).to_owned(), level);
        }
    }
    rules
}

fn default_level(rule: &Rule) -> &'static str {
    if rule.properties.is_on_by_default { rule.severity.name() } else { "off" }
}

fn supported_schema() -> Value {
    json!({
        "description": "Which releases are supported, and have to have an exit path: by the life cycle (`until`), by days, or by range.",
        "type": "object",
        "properties": {
            "days": { "$ref": "#/$defs/days" },
            "range": { "$ref": "#/$defs/range" },
            "until": {
                "description": "The last day of support of minors, where the built-in life cycle does not know it or says something else.",
                "type": "object",
                "propertyNames": { "pattern": "^[0-9]+[.][0-9]+$" },
                "additionalProperties": { "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" },
            },
            "channels": {
                "description": "Channels that are otherwise, by name; `*` in a name stands for anything, and of several that match the longest counts.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": { "days": { "$ref": "#/$defs/days" }, "range": { "$ref": "#/$defs/range" } },
                    "oneOf": [{ "required": ["days"] }, { "required": ["range"] }],
                    "additionalProperties": false,
                },
            },
        },
        "allOf": [
            { "not": { "required": ["days", "range"] } },
            { "not": { "required": ["days", "until"] } },
            { "not": { "required": ["range", "until"] } },
        ],
        "additionalProperties": false,
    })
}

fn metrics_schema() -> Value {
    json!({
        "description": "What clusters answer when a query asks for a metric, by its name. The head of clusters/metrics.toml explains the keys.",
        "type": "object",
        "additionalProperties": { "$ref": "#/$defs/metric" },
    })
}

/// The description of a metric, with the keys of `clusters/metrics.toml`.
fn metric_schema() -> Value {
    json!({
        "type": "object",
        "required": ["about", "from", "values", "labels", "series", "present"],
        "properties": {
            "about": { "description": "What a series says.", "type": "string" },
            "from": { "description": "Who exports it.", "type": "string" },
            "source": { "description": "Where that is written.", "type": "string" },
            "values": {
                "description": "The values that a series can have.",
                "oneOf": [
                    { "enum": ["one", "flag", "time", "count", "number"] },
                    { "type": "array", "items": { "type": "number" } },
                ],
            },
            "also": {
                "description": "Further values.",
                "type": "array",
                "items": { "type": "number" },
            },
            "zero_where": { "$ref": "#/$defs/values-of-labels" },
            "one_where": { "$ref": "#/$defs/values-of-labels" },
            "labels": {
                "description": "The metric's own labels: all values, or `*` for any text.",
                "type": "object",
                "additionalProperties": {
                    "oneOf": [{ "const": "*" }, { "$ref": "#/$defs/texts" }],
                },
            },
            "optional": { "$ref": "#/$defs/texts" },
            "series": {
                "description": "How many series a cluster with the metric has.",
                "oneOf": [
                    { "enum": ["one", "some", "any"] },
                    { "type": "integer", "minimum": 0 },
                ],
            },
            "per": { "$ref": "#/$defs/texts" },
            "always": { "$ref": "#/$defs/values-of-labels" },
            "usual": { "$ref": "#/$defs/values-of-labels" },
            "single": { "$ref": "#/$defs/values-of-labels" },
            "present": {
                "description": "`always`, or the condition on which a cluster has the metric.",
                "type": "string",
            },
            "without": {
                "description": "How many clusters do not have it.",
                "enum": ["common", "rare"],
                "default": "common",
            },
            "capability": { "type": "string" },
            "since": { "type": "string" },
            "until": { "type": "string" },
        },
        "additionalProperties": false,
    })
}

/// So that editors can complete the names of rules and families.
#[test]
fn the_config_schema_has_every_rule() {
    let rules = levels();
    let names: Vec<Value> = rules.keys().map(|name| json!(name)).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://github.com/exitpath/exitpath/schemas/config.json",
        "title": "exitpath.toml",
        "description": "What a repository asks of exitpath. The file lies at the repository's root.",
        "type": "object",
        "properties": {
            "fail-on": {
                "description": "The least severity that fails a check.",
                "enum": ["error", "warning", "info", "never"],
                "default": "error",
            },
            "baseline": {
                "description": "A file, relative to the repository, with findings that are known and not told of.",
                "type": "string",
                "minLength": 1,
            },
            "rules": {
                "description": "Severities of rules and families, by name or code.",
                "type": "object",
                "properties": rules,
                "patternProperties": { "^[Ee][Pp][0-9]{3}$": { "$ref": "#/$defs/level" } },
                "additionalProperties": false,
            },
            "releases": {
                "description": "Where updates come from, unless `--releases` says otherwise: Cincinnati graphs and folders of release metadata, relative to the repository, or `history`.",
                "type": "array",
                "items": { "type": "string", "minLength": 1 },
            },
            "supported": supported_schema(),
            "metrics": metrics_schema(),
            "ignore": {
                "description": "Findings that are not told of, by path.",
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["paths", "reason"],
                    "properties": {
                        "paths": {
                            "description": "Path patterns relative to the repository: `*` within a folder, `**` across folders.",
                            "type": "array",
                            "items": { "type": "string" },
                            "minItems": 1,
                        },
                        "rules": {
                            "description": "Rules and families; without this, every rule.",
                            "type": "array",
                            "items": { "anyOf": [{ "enum": names }, { "type": "string", "pattern": "^[Ee][Pp][0-9]{3}$" }] },
                        },
                        "reason": { "description": "Why.", "type": "string", "minLength": 1 },
                    },
                    "additionalProperties": false,
                },
            },
        },
        "additionalProperties": false,
        "$defs": {
            "metric": metric_schema(),
            "texts": { "type": "array", "items": { "type": "string" } },
            "values-of-labels": {
                "description": "Values of labels, by the name of the label.",
                "type": "object",
                "additionalProperties": { "$ref": "#/$defs/texts" },
            },
            "level": { "enum": ["error", "warning", "info", "off"] },
            "days": {
                "description": "Releases of minors whose newest release is at most so many days old.",
                "type": "integer",
                "minimum": 0,
                "default": 90,
            },
            "range": {
                "description": "Releases in a range of versions, such as `>=4.14, <4.20`; `*` for every one.",
                "type": "string",
            },
        },
    });
    golden("schemas/config.json", &format!("{}\n", serde_json::to_string_pretty(&schema).unwrap()));
}

/// Rules must have a message for each fault that a schema can find.
#[test]
fn the_schemas_use_only_keywords_with_a_rule_message() {
    const SPOKEN_OF: &[&str] = &[
        "$defs",
        "$id",
        "$ref",
        "$schema",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "description",
        "else",
        "enum",
        "if",
        "items",
        "maxLength",
        "minItems",
        "minLength",
        "not",
        "pattern",
        "properties",
        "propertyNames",
        "required",
        "then",
        "title",
        "type",
        "uniqueItems",
    ];
    fn walk(schema: &Value, unknown: &mut Vec<String>) {
        let Value::Object(map) = schema else { return };
        for (keyword, value) in map {
            match keyword.as_str() {
                "properties" | "$defs" => {
                    value.as_object().unwrap().values().for_each(|s| walk(s, unknown));
                }
                "allOf" | "anyOf" => {
                    value.as_array().unwrap().iter().for_each(|s| walk(s, unknown));
                }
                word if SPOKEN_OF.contains(&word) => walk(value, unknown),
                word => unknown.push(word.to_owned()),
            }
        }
    }
    let of_data = &schema::ALL[..5];
    for schema in of_data {
        let mut unknown = Vec::new();
        walk(schema.json(), &mut unknown);
        assert!(unknown.is_empty(), "{}: {unknown:?}", schema.name);
    }
}

/// What a command prints in JSON.
fn printed(arguments: &[&str]) -> Value {
    serde_json::from_str(&exitpath(arguments).out).unwrap()
}

#[test]
fn what_the_commands_about_queries_print_matches_their_schemas() {
    let eval = |query| ["promql", "eval", "--sample", "aws", "--format", "json", query];
    for query in ["up", "up[5m]", "1", "\"a\"", "sum(", "up * on () group_left () up"] {
        let answer = printed(&eval(query));
        assert!(schema::QUERY_ANSWER.validator().is_valid(&answer), "{query}: {answer}");
    }
    for query in ["max(up)", "sum(", "5"] {
        let check = printed(&["promql", "check", "--format", "json", query]);
        assert!(schema::QUERY_CHECK.validator().is_valid(&check), "{query}: {check}");
    }
}

#[test]
fn what_the_commands_about_risks_print_matches_their_schemas() {
    let repository = "fixtures/rules/untested-risk/good";
    let risk = printed(&["risk", "show", "ExampleRisk", "--repo", repository, "--format", "json"]);
    assert!(schema::RISK.validator().is_valid(&risk), "{risk}");
    let report = printed(&["test", "--repo", repository, "--format", "json"]);
    assert!(schema::TEST_REPORT.validator().is_valid(&report), "{report}");
    let failing = printed(&["test", "--repo", "fixtures/risk-tests/failing", "--format", "json"]);
    assert!(schema::TEST_REPORT.validator().is_valid(&failing), "{failing}");
    assert_eq!(failing["summary"]["failed"], 1);
}
