//! `catalog substitute`, as people and programs run it: reports, and files that it rewrites.

use std::fs;
use std::path::Path;
use std::process::Output;

use exitpath::testing::schema::CATALOG_SUBSTITUTION;
use serde_json::Value as Json;

use crate::shared::run::{exitpath_at, words};
use crate::shared::scratch::Scratch;

fn exitpath(arguments: &[&str], folder: &Path) -> Output {
    exitpath_at(folder, &[&["catalog", "substitute"], arguments].concat())
}

/// The lines that differ, as `--diff` shows them.
fn differing(folder: &Path, more: &[&str]) -> Vec<String> {
    let run = exitpath(&[&[".", "--diff"], more].concat(), folder);
    let diff = String::from_utf8_lossy(&run.stdout).into_owned();
    let is_change = |line: &&str| {
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
    };
    diff.lines().filter(is_change).map(str::to_owned).collect()
}

const REBUILT: &str = "fixtures/catalogs/rebuilt";

#[test]
fn the_report_says_what_changes_and_follows_its_schema() {
    let run = exitpath(&[REBUILT, "--format", "json"], Path::new("."));
    let report: Json =
        serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{}", words(&run)));
    let validator = CATALOG_SUBSTITUTION.validator();
    let faults: Vec<String> = validator.iter_errors(&report).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    let stable = &report["packages"][0]["channels"][1];
    assert_eq!(stable["channel"], "stable");
    assert_eq!(stable["entries"][3]["replaces"], "lighthouse.v1.1.1");
    assert_eq!(stable["entries"][3]["skips"], serde_json::json!(["lighthouse.v1.1.0"]));
    assert_eq!(stable["gained"][0]["from"], "lighthouse.v1.0.0");
    assert_eq!(run.status.code(), Some(0), "{}", words(&run));
}

#[test]
fn only_the_entries_of_the_file_change_and_a_second_run_changes_nothing() {
    let old = fs::read_to_string(format!("{REBUILT}/catalog.yaml")).unwrap();
    let folder = Scratch::with("yaml", &[("catalog.yaml", &old)]);
    assert_eq!(
        differing(&folder, &[]),
        [
            "-  replaces: lighthouse.v1.1.0  # published before the rebuild",
            "+  replaces: lighthouse.v1.1.1  # published before the rebuild",
            "+  skips:",
            "+  - lighthouse.v1.1.0",
            "+  - lighthouse.v1.1.1",
        ]
    );
    assert_eq!(fs::read_to_string(folder.join("catalog.yaml")).unwrap(), old);
    let run = exitpath(&[".", "--write"], &folder);
    assert_eq!(run.status.code(), Some(0), "{}", words(&run));
    let new = fs::read_to_string(folder.join("catalog.yaml")).unwrap();
    let again = exitpath(&[".", "--write"], &folder);
    assert!(words(&again).contains("nothing to change"), "{}", words(&again));
    assert_eq!(fs::read_to_string(folder.join("catalog.yaml")).unwrap(), new);
}

/// The rest of a catalog with the entries A, A1 (a rebuild of A), and B.
fn documents(entries: &str) -> String {
    let mut text = format!(
        "{{\"schema\": \"olm.package\", \"name\": \"p\", \"defaultChannel\": \"stable\"}}\n{entries}\n"
    );
    for (name, version, more) in [
        ("A", "1.0.0", ""),
        (
            "A1",
            "1.0.1",
            ", {\"type\": \"olm.csv.metadata\", \"value\": {\"annotations\": {\"olm.substitutesFor\": \"A\"}}}",
        ),
        ("B", "1.1.0", ""),
    ] {
        text += &format!(
            "{{\"schema\": \"olm.bundle\", \"package\": \"p\", \"name\": \"{name}\", \"image\": \
             \"example.com/{name}\", \"properties\": [{{\"type\": \"olm.package\", \"value\": \
             {{\"packageName\": \"p\", \"version\": \"{version}\"}}}}{more}]}}\n"
        );
    }
    text
}

/// The lines that differ, and the new text.
fn rewritten(name: &str, file: &str, text: &str) -> (Vec<String>, String) {
    let folder = Scratch::with(name, &[(file, text)]);
    let changed = differing(&folder, &[]);
    let run = exitpath(&[".", "--write"], &folder);
    assert_eq!(run.status.code(), Some(0), "{}", words(&run));
    (changed, fs::read_to_string(folder.join(file)).unwrap())
}

#[test]
fn json_keeps_its_layout() {
    let indented = r#"{
    "schema": "olm.channel",
    "package": "p",
    "name": "stable",
    "entries": [
        {
            "name": "A"
        },
        {
            "name": "A1",
            "skips": [
                "A"
            ]
        },
        {
            "name": "B",
            "replaces": "A"
        }
    ]
}"#;
    let text = documents(indented);
    let (changed, _) = rewritten("json", "catalog.json", &text);
    assert_eq!(
        changed,
        [
            "-            \"replaces\": \"A\"",
            "+            \"replaces\": \"A1\",",
            "+            \"skips\": [\"A\"]",
        ]
    );
    let compact = r#"{"schema":"olm.channel","package":"p","name":"stable","entries":[{"name":"A"},{"name":"A1","skips":["A"]},{"name":"B","skips":["A"]}]}"#;
    let text = documents(compact);
    let (changed, _) = rewritten("compact", "catalog.json", &text);
    assert_eq!(
        changed[1],
        format!("+{}", compact.replace(r#""B","skips":["A"]"#, r#""B","skips":["A", "A1"]"#))
    );
}

/// Documents as YAML, with bundles in braces.
fn yaml(entries: &str) -> String {
    documents("CHANNEL").replace("\n{", "\n---\n{").replace(
        "CHANNEL",
        &format!("---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n{entries}"),
    )
}

#[test]
fn quotes_comments_and_line_ends_stay() {
    let text = yaml(
        "  - name: 'A'   # old\n  - name: \"A1\"\n    skips: ['A']\n  # the head\n  - name: 'B'\n    \
         replaces: 'A' # note\n    skipRange: '<1.0.0'",
    );
    let (changed, _) = rewritten("quotes", "catalog.yaml", &text);
    assert_eq!(
        changed,
        ["-    replaces: 'A' # note", "+    replaces: 'A1' # note", "+    skips:", "+    - 'A'"]
    );
    let text = yaml("- {name: A}\n- {name: A1, skips: [A]}\n- {name: B, replaces: A, skips: []}");
    let text = text.replace('\n', "\r\n");
    let (_, new) = rewritten("crlf", "catalog.yaml", &text);
    assert!(new.contains("- {name: B, replaces: A1, skips: [A]}\r\n"), "{new}");
    assert_eq!(new.matches("\r\n").count(), new.matches('\n').count());
}

/// Aliases, and entries twice.
#[test]
fn a_file_in_a_style_that_is_not_known_stays_as_it_is() {
    for (name, entries) in [
        ("alias", "- name: A\n- name: A1\n  skips: &skips [A]\n- name: B\n  skips: *skips"),
        ("merge", "- name: A\n- name: A1\n- &b\n  name: B\n  replaces: A\n- <<: *b\n  name: C"),
    ] {
        let text = yaml(entries);
        let folder = Scratch::with(name, &[("catalog.yaml", &text)]);
        let run = exitpath(&[".", "--write"], &folder);
        assert_eq!(run.status.code(), Some(2), "{name}: {}", words(&run));
        assert!(words(&run).contains("cannot rewrite"), "{}", words(&run));
        assert_eq!(fs::read_to_string(folder.join("catalog.yaml")).unwrap(), text);
    }
}

#[test]
fn lines_end_as_they_did() {
    let text = yaml("- name: A\n- name: A1\n  skips: [A]\n- name: B\n  replaces: A # note\n");
    let (_, new) = rewritten("lines", "catalog.yaml", &text.replace('\n', "\r\n"));
    assert!(new.contains("replaces: A1 # note\r\n  skips:\r\n  - A\r\n"), "{new:?}");
    assert_eq!(new.matches("\r\n").count(), new.matches('\n').count());
}

#[test]
fn a_channel_that_is_too_large_is_not_written() {
    let count = 4_000;
    let mut entries = String::from("- name: N0");
    let mut text = String::new();
    for number in 1..count {
        entries += &format!("\n- name: N{number}");
        text += &format!(
            "---\n{{schema: olm.bundle, package: p, name: N{number}, image: e/N{number}, properties: \
             [{{type: olm.package, value: {{packageName: p, version: 1.0.{number}}}}}, {{type: \
             olm.csv.metadata, value: {{annotations: {{olm.substitutesFor: N{}}}}}}}]}}\n",
            number - 1
        );
    }
    let text = format!(
        "schema: olm.package\nname: p\ndefaultChannel: stable\n---\nschema: olm.channel\n\
         package: p\nname: stable\nentries:\n{entries}\n{text}"
    );
    let folder = Scratch::with("large", &[("catalog.yaml", &text)]);
    let run = exitpath(&[".", "--write"], &folder);
    assert_eq!(run.status.code(), Some(2), "{}", words(&run));
    assert!(words(&run).contains("channel stable is too large to substitute"), "{}", words(&run));
    assert_eq!(fs::read_to_string(folder.join("catalog.yaml")).unwrap(), text);
}

#[test]
fn a_template_gets_the_bundle_and_loses_the_substitution() {
    let old = fs::read_to_string("fixtures/catalogs/substitutes-template/lighthouse.yaml").unwrap();
    let folder = Scratch::with("template", &[("lighthouse.yaml", &old)]);
    let guess = exitpath(&[".", "--write"], &folder);
    assert_eq!(guess.status.code(), Some(2), "{}", words(&guess));
    assert!(words(&guess).contains("only guessed from its tag"), "{}", words(&guess));
    let image = fs::canonicalize("fixtures/catalogs/rebuilt-image/lighthouse-1.1.1.yaml").unwrap();
    let image = image.to_str().unwrap();
    let changed = differing(&folder, &["--rendered", image]);
    let run = exitpath(&[".", "--write", "--rendered", image], &folder);
    assert_eq!(run.status.code(), Some(0), "{}", words(&run));
    assert_eq!(changed[0], "+  - name: \"lighthouse.v1.1.1\"");
    assert_eq!(changed[1], "+    replaces: \"lighthouse.v1.0.0\"");
    assert_eq!(changed[2], "+    skips: [\"lighthouse.v1.1.0\"]");
    let bundle = "+- {\"image\":\"quay.io/example/lighthouse-bundle:v1.1.1\"";
    assert!(changed.iter().any(|line| line.starts_with(bundle)), "{changed:?}");
    assert!(changed.contains(&"+substitutions: []".to_owned()), "{changed:?}");
}

#[test]
fn published_bundles_are_not_rewritten() {
    const CSV: &str = "1.2.0/manifests/lighthouse.clusterserviceversion.yaml";
    let folder = Scratch::with("bundles", &[("note.txt", "")]);
    let from = "fixtures/catalogs/bundle-folders/lighthouse";
    for version in ["1.0.0", "1.1.0", "1.1.1", "1.2.0"] {
        for part in ["manifests", "metadata"] {
            let part = format!("{version}/{part}");
            fs::create_dir_all(folder.join(&part)).unwrap();
            for file in fs::read_dir(format!("{from}/{part}")).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), folder.join(&part).join(file.file_name())).unwrap();
            }
        }
    }
    let text = fs::read_to_string(folder.join(CSV)).unwrap();
    assert!(text.contains("replaces: lighthouse.v1.1.1"), "{text}");
    let text = text.replace("replaces: lighthouse.v1.1.1", "replaces: lighthouse.v1.1.0");
    fs::write(folder.join(CSV), text).unwrap();
    let run = exitpath(&[".", "--write"], &folder);
    assert_eq!(run.status.code(), Some(2), "{}", words(&run));
    assert!(words(&run).contains("published"), "{}", words(&run));
    let run =
        exitpath(&["fixtures/catalogs/bundle-folders", "--format", "channels"], Path::new("."));
    assert!(
        words(&run).contains("schema: olm.channel\npackage: \"lighthouse\""),
        "{}",
        words(&run)
    );
}

#[test]
fn nothing_to_substitute_is_no_pass() {
    let run = exitpath(&["fixtures/catalogs/skipped-twice"], Path::new("."));
    assert_eq!(run.status.code(), Some(2));
    assert!(words(&run).contains("nothing to substitute"), "{}", words(&run));
}
