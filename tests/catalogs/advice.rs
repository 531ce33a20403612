//! What findings and commands advise: names are whole, and what is suggested was tried.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use exitpath::testing::schema::{CATALOG_SIMULATION, CHECK_REPORT};
use serde_json::Value as Json;

use crate::commands::json;
use crate::shared::run::exitpath_at;
use crate::shared::scratch::Scratch;

/// A catalog with one channel. An entry is its version, and what follows its name.
fn catalog(package: &str, entries: &[(&str, &str)]) -> String {
    let mut text = format!(
        "schema: olm.package\nname: {package}\ndefaultChannel: stable\n---\nschema: olm.channel\n\
         package: {package}\nname: stable\nentries:\n"
    );
    for (version, edges) in entries {
        writeln!(text, "- {{name: {package}.v{version}{edges}}}").unwrap();
    }
    for (version, _) in entries {
        write!(
            text,
            "---\nschema: olm.bundle\npackage: {package}\nname: {package}.v{version}\nimage: a/b\n\
             properties:\n- type: olm.package\n  value: {{packageName: {package}, version: \
             {version}}}\n- type: olm.csv.metadata\n  value: {{displayName: B}}\n"
        )
        .unwrap();
    }
    text
}

fn findings(folder: &Path, more: &[&str]) -> Vec<Json> {
    let arguments = [&["catalog", "check", ".", "--format", "json"], more].concat();
    let report = json(&arguments, folder, &CHECK_REPORT);
    report["findings"].as_array().unwrap().clone()
}

fn of_rule(findings: &[Json], rule: &str) -> Json {
    let mut found = findings.iter().filter(|finding| finding["rule"] == rule);
    found.next().unwrap_or_else(|| panic!("{rule}: {findings:?}")).clone()
}

const LONG: &str = "an-operator-for-lighthouses-with-a-very-long-name-indeed";

#[test]
fn names_are_whole_and_findings_say_what_they_are_about() {
    let name = |version: &str| format!("{LONG}.v{version}");
    let skips = |version: &str| format!(", skips: [{}]", name(version));
    let text = catalog(
        LONG,
        &[
            ("1.0.0", ""),
            ("1.1.0", &skips("1.0.0")),
            ("1.2.0", &skips("1.1.0")),
            ("1.3.0", &format!(", replaces: {}", name("1.2.0"))),
        ],
    );
    let folder = Scratch::with("whole", &[("catalog.yaml", &text)]);
    let finding = of_rule(&findings(&folder, &[]), "dead-end");
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains(&name("1.0.0")) && !message.contains('…'), "{message}");
    let help = format!("add `{}` to the `skips` of `{}`", name("1.0.0"), name("1.3.0"));
    assert_eq!(finding["help"], help);
    let keys = ["package", "channel", "entry", "role"].map(|key| finding[key].as_str().unwrap());
    assert_eq!(keys, [LONG, "stable", &name("1.0.0"), "skipped"]);
    assert_eq!(finding["installs"], serde_json::json!([name("1.0.0")]));

    let arguments = ["catalog", "simulate", ".", "--format", "json"];
    let simulation = json(&arguments, &folder, &CATALOG_SIMULATION);
    let channel = &simulation["packages"][0]["channels"][0];
    assert_eq!(channel["unblock_all"]["names"], serde_json::json!([name("1.0.0")]));
    let moves: BTreeMap<&str, usize> = channel["installs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["next"].as_array().unwrap().len()))
        .collect();
    assert_eq!(moves.into_values().collect::<Vec<_>>(), [0, 1, 1, 0]);
}

#[test]
fn a_downgrade_is_left_out_by_a_skip_of_the_head() {
    let entries =
        [("1.0.1", ""), ("1.0.1-1", ", replaces: b.v1.0.1"), ("1.1.0", ", replaces: b.v1.0.1-1")];
    let text = catalog("b", &entries);
    let folder = Scratch::with("downgrade", &[("catalog.yaml", &text)]);
    let help = "add `b.v1.0.1` to the `skips` of `b.v1.1.0`";
    assert_eq!(of_rule(&findings(&folder, &[]), "downgrade-edge")["help"], help);
    let run = exitpath_at(&folder, &["catalog", "simulate", ".", "--policy", "v1"]);
    let words = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(words.contains(&format!("to unblock all of them: {help}")), "{words}");
    let fixed = text.replace("replaces: b.v1.0.1-1", "replaces: b.v1.0.1-1, skips: [b.v1.0.1]");
    std::fs::write(folder.join("catalog.yaml"), fixed).unwrap();
    assert_eq!(findings(&folder, &[]), Vec::<Json>::new());
}

/// OLM v0 installs no skipped entry, so what was updated to it must be skipped, too.
#[test]
fn a_skip_for_olm_v1_strands_nobody_under_olm_v0() {
    let entries = [
        ("1.0.0", ""),
        ("1.0.2", ", replaces: b.v1.0.0"),
        ("1.0.1", ", replaces: b.v1.0.2"),
        ("1.1.0", ", replaces: b.v1.0.1"),
    ];
    let text = catalog("b", &entries);
    let folder = Scratch::with("both", &[("catalog.yaml", &text)]);
    let help = "add `b.v1.0.2` and `b.v1.0.0` to the `skips` of `b.v1.1.0`";
    assert_eq!(of_rule(&findings(&folder, &[]), "downgrade-edge")["help"], help);
}

#[test]
fn a_range_that_would_move_installs_back_is_not_suggested() {
    let text = catalog("b", &[("1.0.0", ""), ("1.1.0", ", replaces: b.v1.0.0")]);
    let annotated = |version: &str, range: &str| {
        let annotation = format!("{{annotations: {{olm.skipRange: '{range}'}}}}");
        let start = text.find(&format!("name: b.v{version}\nimage")).unwrap();
        let rest = text[start..].replacen("{displayName: B}", &annotation, 1);
        format!("{}{rest}", &text[..start])
    };
    let help = |name: &str, text: &str| {
        let folder = Scratch::with(name, &[("catalog.yaml", &text)]);
        of_rule(&findings(&folder, &[]), "ignored-skip-range")["help"].as_str().unwrap().to_owned()
    };
    assert!(help("fine", &annotated("1.1.0", ">=0.9.0 <1.1.0")).starts_with("add the range"));
    for range in [">=v0.9.0 <v1.1.0", ">=0.9.0 <2.0.0", "<1.1.0"] {
        assert!(help("bad", &annotated("1.1.0", range)).starts_with("remove"), "{range}");
    }
    assert!(help("back", &annotated("1.0.0", ">=1.1.0 <1.2.0")).starts_with("remove"));
}

#[test]
fn a_misspelled_key_is_one_finding_and_says_what_is_lost() {
    let entries = [
        ("1.0.0", ", skipranges: '<1.0.0'"),
        ("1.1.0", ", replaces: b.v1.0.0, skipranges: '<1.1.0'"),
    ];
    let text = catalog("b", &entries);
    let found = findings(&Scratch::with("key", &[("catalog.yaml", &text)]), &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("no range") && message.contains("2 places"), "{message}");
}

#[test]
fn a_typo_in_replaces_is_called_one() {
    let entries = [("1.0.0", ""), ("1.1.0", ", replaces: b.v1.0.O")];
    let text = catalog("b", &entries);
    let found = findings(&Scratch::with("typo", &[("catalog.yaml", &text)]), &[]);
    let meant = "did you mean `b.v1.0.0`?";
    assert_eq!(of_rule(&found, "unknown-replaces")["help"], meant);
    let help = of_rule(&found, "not-one-head")["help"].as_str().unwrap().to_owned();
    assert!(help.ends_with(meant), "{help}");
}

#[test]
fn a_requirement_names_the_bundle_and_other_catalogs_can_meet_it() {
    let needs = |text: &str, property: &str| {
        text.replacen("{displayName: B}", &format!("{{displayName: B}}\n- {property}"), 1)
    };
    let api = |kind: &str| {
        format!("{{type: {kind}, value: {{group: lamps.example.com, kind: Lamp, version: v1}}}}")
    };
    let own = needs(&catalog("b", &[("1.0.0", "")]), &api("olm.gvk.required"));
    let own = format!("{own}---\n{}", catalog("c", &[("1.0.0", "")]));
    let other = needs(&catalog("d", &[("1.0.0", "")]), &api("olm.gvk"));
    let files =
        [("catalog/catalog.yaml", own.as_bytes()), ("other/catalog.yaml", other.as_bytes())];
    let scratch = Scratch::with("with", &files);
    let folder = scratch.join("catalog");
    let finding = of_rule(&findings(&folder, &[]), "unprovided-api");
    let message = finding["message"].as_str().unwrap();
    assert!(message.starts_with("`b.v1.0.0` (head of channel `stable`)"), "{message}");
    assert_eq!(findings(&folder, &["--with", "../other"]), Vec::<Json>::new());
}

#[test]
fn each_catalog_of_a_folder_is_checked() {
    let text = catalog("b", &[("1.0.0", "")]);
    let files =
        [("v4.20/b/catalog.yaml", text.as_bytes()), ("v4.21/b/catalog.yaml", text.as_bytes())];
    let folder = Scratch::with("several", &files);
    let run = exitpath_at(&folder, &["catalog", "check", "."]);
    let words = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(words.contains(". holds 2 catalogs (v4.20 and v4.21): each is checked"), "{words}");
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
    let run = exitpath_at(&folder, &["catalog", "simulate", "."]);
    assert!(String::from_utf8_lossy(&run.stderr).contains("name one of them"));
    assert_eq!(run.status.code(), Some(2));
}

#[test]
fn a_database_is_called_one_and_an_empty_folder_is_valid_for_opm() {
    let database = Scratch::with("database", &[("index.db", b"SQLite format 3\0\xff")]);
    let finding = of_rule(&findings(&database, &[]), "catalog-syntax");
    assert!(finding["message"].as_str().unwrap().contains("`opm migrate`"), "{finding}");
    let empty = Scratch::new("empty");
    let run = exitpath_at(&empty, &["catalog", "check", ".", "--opm-verdict"]);
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(exitpath_at(&empty, &["catalog", "check", "."]).status.code(), Some(2));
}

#[test]
fn what_opm_renders_tells_the_versions_of_images_by_digest() {
    let digest = format!("example.com/b@sha256:{}", "0".repeat(64));
    let template = format!("schema: olm.semver\nStable:\n  Bundles:\n  - Image: {digest}\n");
    let rendered =
        catalog("b", &[("1.0.0", "")]).replace("image: a/b", &format!("image: {digest}"));
    let start = rendered.find("---\nschema: olm.bundle").unwrap();
    let files = [
        ("template/a.yaml", template.as_bytes()),
        ("rendered.yaml", &rendered.as_bytes()[start..]),
    ];
    let scratch = Scratch::with("digest", &files);
    let folder = scratch.join("template");
    let unknown = of_rule(&findings(&folder, &[]), "catalog-syntax");
    assert!(unknown["message"].as_str().unwrap().contains("--rendered"), "{unknown}");
    assert_eq!(findings(&folder, &["--rendered", "../rendered.yaml"]), Vec::<Json>::new());
}

#[test]
fn an_event_that_does_not_happen_is_an_error() {
    let text = catalog("b", &[("1.0.0", "")]);
    let folder = Scratch::with("event", &[("catalog.yaml", &text)]);
    let event = ["--installed", "b.v1.0.0", "--event", "b.v1.0.0's plan fails"];
    let run = exitpath_at(&folder, &[&["catalog", "fail-forward", "."][..], &event].concat());
    let words = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(words.contains("this does not happen: b.v1.0.0's plan fails"), "{words}");
    assert!(!String::from_utf8_lossy(&run.stdout).contains('✓'));
    assert_eq!(run.status.code(), Some(2));
}
