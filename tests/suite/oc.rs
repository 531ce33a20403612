//! What `oc adm upgrade` prints and sends.

use std::fs;

use exitpath::testing::cluster::object::{Alert, ClusterVersion};
use exitpath::testing::oc::{Alerts, Level, Output, Situation, Switches, run};
use serde_json::{Value as Json, json};

use crate::real_data;

/// Cases that are known to differ, with the reason.
const DIFFERENT: &[(&str, &str)] = &[];

fn text<'v>(value: &'v Json, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// What is different in a case, with both texts.
fn differences(case: &Json) -> Vec<String> {
    let (input, expected) = (&case["input"], &case["expected"]);
    let cluster_version: Option<ClusterVersion> =
        serde_json::from_value(input["clusterversion"].clone()).unwrap();
    let alerts: Vec<Alert> = match &input["alerts"] {
        list @ Json::Array(_) => serde_json::from_value(list.clone()).unwrap(),
        _ => Vec::new(),
    };
    let alerts = match text(input, "alerts") {
        "unavailable" => Alerts::Unavailable,
        "mock-none" => Alerts::NotMocked,
        _ => Alerts::Of(&alerts),
    };
    let switches = Switches::of(|name| input["env"][name].as_str());
    let args = input["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let level = Level::default();
    let cluster_version = cluster_version.as_ref();
    let situation = Situation { cluster_version, alerts, switches, level };
    let Output { exit, stdout, stderr, patches, reads_cluster } =
        run(&args.collect::<Vec<_>>(), &situation);
    let found = [
        ("exit", json!(exit)),
        ("stdout", json!(stdout)),
        ("stderr", json!(stderr)),
        ("patch", json!(patches)),
        ("reads_cluster", json!(reads_cluster)),
    ];
    let differs = found.into_iter().filter(|(key, found)| expected[key] != *found);
    differs
        .map(|(key, found)| format!("{key}:\n  expected {}\n  found    {found}", expected[key]))
        .collect()
}

#[test]
fn oc_vectors() {
    let file = real_data::data("cvo-vectors/oc-upgrade.jsonl");
    let Some(lines) = file.map(|file| fs::read_to_string(file).unwrap()) else {
        eprintln!("skipped: EXITPATH_REAL_DATA names no folder with what oc prints");
        return;
    };
    let cases: Vec<Json> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut different = Vec::new();
    for case in &cases {
        let differences = differences(case);
        if !differences.is_empty() {
            eprintln!("{}: {}", text(case, "name"), differences.join("\n"));
            different.push(text(case, "name"));
        }
    }
    eprintln!("{} of {} cases equal", cases.len() - different.len(), cases.len());
    let known: Vec<&str> = DIFFERENT.iter().map(|(name, _)| *name).collect();
    assert_eq!(different, known, "these cases differ");
    assert!(known.len() * 50 <= cases.len(), "too many cases differ");
}
