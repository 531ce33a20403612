//! The commands, as people and programs run them.

use std::path::Path;

use exitpath::testing::schema::{
    CATALOG_DIFF, CATALOG_GRAPH, CATALOG_PATH, CATALOG_SIMULATION, CHECK_REPORT, Schema,
};
use serde_json::Value as Json;

use crate::shared::run::exitpath_at;
use crate::shared::scratch::{Scratch, git};

const FIXTURE: &str = "fixtures/catalogs/skipped-twice";

pub(crate) fn json(arguments: &[&str], folder: &Path, schema: &Schema) -> Json {
    let run = exitpath_at(folder, arguments);
    let words = String::from_utf8_lossy(&run.stderr);
    let report = serde_json::from_slice(&run.stdout).unwrap_or_else(|e| panic!("{e}: {words}"));
    let validator = schema.validator();
    let faults: Vec<String> = validator.iter_errors(&report).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{arguments:?}: {faults:?}");
    report
}

/// A git repository whose first commit has the fixture, and whose work tree lacks its first entry.
fn repository(name: &str) -> Scratch {
    let text = std::fs::read_to_string(format!("{FIXTURE}/catalog.yaml")).unwrap();
    let file = "catalog/catalog.yaml";
    let folder = Scratch::with(name, &[(file, &text)]);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "all"]);
    let (head, rest) = text.split_once("- name: example.v1.0.0\n").unwrap();
    let rest = rest.replacen("  skips: [example.v1.0.0]\n", "", 1);
    let start =
        rest.find("---\nschema: olm.bundle\npackage: example\nname: example.v1.0.0").unwrap();
    let end = start + 3 + rest[start + 3..].find("---\n").unwrap();
    folder.write(file, format!("{head}{}{}", &rest[..start], &rest[end..]));
    folder
}

#[test]
fn every_json_follows_its_schema() {
    let here = Path::new(".");
    let simulation =
        json(&["catalog", "simulate", FIXTURE, "--format", "json"], here, &CATALOG_SIMULATION);
    assert_eq!(simulation["packages"][0]["channels"][0]["stuck"][0]["why"], "skipped");
    let path = ["catalog", "path", FIXTURE, "1.0.0", "--format", "json"];
    json(&path, here, &CATALOG_PATH);
    json(&["catalog", "graph", FIXTURE], here, &CATALOG_GRAPH);
    json(&["catalog", "check", FIXTURE, "--format", "json"], here, &CHECK_REPORT);
    let folder = repository("schema");
    let diff = ["catalog", "diff", "catalog", "--base", "HEAD", "--format", "json"];
    let diff = json(&diff, &folder, &CATALOG_DIFF);
    assert_eq!(diff["channels"][0]["removed"][0], "example.v1.0.0");
}

#[test]
fn whatever_was_published_may_be_installed_still() {
    let folder = repository("published");
    let stuck = |more: &[&str]| -> Vec<String> {
        let arguments = [&["catalog", "simulate", "catalog", "--format", "json"], more].concat();
        let report = json(&arguments, &folder, &CATALOG_SIMULATION);
        let stuck = report["packages"][0]["channels"][0]["stuck"].as_array().unwrap().clone();
        stuck.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(stuck(&[]), Vec::<String>::new());
    assert_eq!(stuck(&["--base", "HEAD"]), ["example.v1.0.0"]);
    assert_eq!(stuck(&["--history"]), ["example.v1.0.0"]);
    let check = exitpath_at(&folder, &["catalog", "check", "catalog", "--base", "HEAD"]);
    assert!(String::from_utf8_lossy(&check.stdout).contains("removed-and-stranded"));
}

#[test]
fn nothing_read_or_simulated_is_not_a_pass() {
    let here = Path::new(".");
    for arguments in [
        &["catalog", "check", "fixtures/no-such-folder"][..],
        &["catalog", "simulate", FIXTURE, "--channel", "fast"],
        &["catalog", "simulate", FIXTURE, "--package", "exampel"],
        &["catalog", "path", FIXTURE, "9.9.9"],
    ] {
        let run = exitpath_at(here, arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn each_finding_has_the_words_of_opm_on_request() {
    let file = "fixtures/rules/not-one-head/bad";
    let check = |more: &[&str]| {
        let arguments = [&["catalog", "check", file, "--format", "json"], more].concat();
        json(&arguments, Path::new("."), &CHECK_REPORT)["findings"][0]["opm"].clone()
    };
    assert_eq!(check(&[]), Json::Null);
    let words = check(&["--opm-words"]);
    assert!(words.as_str().unwrap().starts_with("multiple channel heads found in graph: "));
    let run = exitpath_at(Path::new("."), &["catalog", "check", file, "--opm-words"]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.contains("opm says: multiple channel heads found in graph: "), "{text}");
}

#[test]
fn the_verdict_is_what_opm_prints() {
    let file = "fixtures/rules/not-one-head/bad";
    let run = exitpath_at(Path::new("."), &["catalog", "check", file, "--opm-verdict"]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.starts_with("invalid index:\n└── invalid package \"example\":\n"), "{text}");
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn opm_names_all_entries_without_bundles_at_once() {
    let file = "fixtures/rules/entry-without-bundle/bad";
    let arguments = ["catalog", "check", file, "--opm-words", "--format", "json"];
    let report = json(&arguments, Path::new("."), &CHECK_REPORT);
    let words = report["findings"][0]["opm"].as_str().unwrap();
    let expected = "no olm.bundle blobs found in package \"example\" for olm.channel entries [";
    assert!(words.starts_with(expected), "{words}");
}

#[test]
fn explain_says_what_olm_prefers() {
    let mut text = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\n\
                    package: p\nname: c\nentries:\n- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: \
                    p.v1.0.0\n- name: p.v1.2.0\n  replaces: p.v1.1.0\n  skipRange: '>=1.0.0 <1.1.0'\n\
                    - name: p.v1.3.0\n  replaces: p.v1.2.0\n"
        .to_owned();
    for minor in 0..4 {
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v1.{minor}.0\nimage: a/b\nproperties:\n\
             - {{type: olm.package, value: {{packageName: p, version: 1.{minor}.0}}}}\n"
        );
    }
    let folder = Scratch::with("prefers", &[("catalog.yaml", &text)]);
    let run = exitpath_at(&folder, &["catalog", "explain", ".", "1.0.0"]);
    let words = String::from_utf8_lossy(&run.stdout).into_owned();
    let expected = "not taken: OLM prefers p.v1.2.0, which is closer to the head";
    assert!(words.contains(expected), "{words}");
}
