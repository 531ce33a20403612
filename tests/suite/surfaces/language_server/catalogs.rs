//! Files of catalogs of operators.

use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, position};
use crate::{Scratch, exitpath};

const PATH: &str = "skipped-twice/catalog.yaml";

fn opened() -> (Scratch, Client, String) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/catalogs/skipped-twice");
    let folder = Scratch::new("language-server-catalog");
    let text = std::fs::read_to_string(fixture.join("catalog.yaml")).unwrap();
    folder.write(PATH, &text);
    let mut client = Client::new(folder.path());
    client.open(PATH, &text);
    (folder, client, text)
}

/// The rules and messages that `catalog check` reports for these texts.
fn checked(folder: &Scratch, text: &str) -> Vec<String> {
    folder.write(PATH, text);
    let catalog = folder.path().join("skipped-twice");
    let run = exitpath(["catalog", "check", catalog.to_str().unwrap(), "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let mut found: Vec<String> = findings
        .map(|one| {
            let help = one["help"].as_str().map(|help| format!("\n{help}")).unwrap_or_default();
            format!("{} {}{help}", one["rule"].as_str().unwrap(), one["message"].as_str().unwrap())
        })
        .collect();
    found.sort();
    found
}

fn told(client: &mut Client) -> Vec<String> {
    let uri = client.uri(PATH);
    let told = client.settled().get(&uri).cloned().unwrap_or(json!([]));
    let mut found: Vec<String> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!("{} {}", one["code"].as_str().unwrap(), one["message"].as_str().unwrap())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn the_findings_are_those_of_catalog_check() {
    let (folder, mut client, text) = opened();
    let before = told(&mut client);
    assert!(before.iter().any(|one| one.contains("example.v1.0.0")), "{before:?}");
    let edits = [
        text.replace("replaces: example.v1.2.0", "replaces: example.v1.9.0"),
        text.replace("defaultChannel: stable", "defaultChannel: fast"),
        text.replace("schema: olm.channel", "schema: ["),
        text.replace("  skips: [example.v1.1.0]\n", ""),
    ];
    for edited in edits {
        client.change(PATH, &edited);
        let told = told(&mut client);
        assert_eq!(told, checked(&folder, &edited));
        assert_ne!(told, before);
    }
    client.change(PATH, &text);
    assert_eq!(told(&mut client), before);
    client.close(PATH);
}

#[test]
fn names_are_completed_and_explained() {
    let (_folder, mut client, text) = opened();
    client.settled();
    let mut completed = |text: &str, at: &str| {
        client.change(PATH, text);
        let position = position(text, text.find(at).unwrap() + at.len());
        let params = json!({ "textDocument": { "uri": client.uri(PATH) }, "position": position });
        let answer = client.ask("textDocument/completion", params);
        let items = answer["items"].as_array().unwrap().iter();
        items.map(|one| one["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let replaces = text.replace("replaces: example.v1.2.0", "replaces: example.v1.2");
    assert_eq!(completed(&replaces, "replaces: example.v1.2"), ["example.v1.2.0"]);
    let channel = text.replace("defaultChannel: stable", "defaultChannel: ");
    assert_eq!(completed(&channel, "defaultChannel: "), ["stable"]);
    let key = text.replace("  replaces: example", "  repl\n  x: example");
    assert_eq!(completed(&key, "  repl"), ["replaces"]);
    let schema = text.replacen("schema: olm.channel", "schema: olm.ch", 1);
    assert_eq!(completed(&schema, "schema: olm.ch"), ["olm.channel"]);
    client.change(PATH, &text);
    let hover = client.at("textDocument/hover", PATH, &text, "example.v1.1.0");
    let about = hover["contents"]["value"].as_str().unwrap();
    assert!(about.contains("replaced or skipped by example.v1.2.0"), "{about}");
    let hover = client.at("textDocument/hover", PATH, &text, "stable");
    let about = hover["contents"]["value"].as_str().unwrap();
    assert!(about.starts_with("**stable**: the default channel of example, with "), "{about}");
}

/// The completions at `¦` in a file beside the text of a fixture.
fn completed_beside(fixture: &str, marked: &str) -> Vec<String> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/catalogs");
    let folder = Scratch::copy_of("language-server-template", &fixtures.join(fixture));
    let mut client = Client::new(folder.path());
    let text = marked.replace('¦', "");
    client.open("new.yaml", &text);
    client.settled();
    let position = position(&text, marked.find('¦').unwrap());
    let params = json!({ "textDocument": { "uri": client.uri("new.yaml") }, "position": position });
    let answer = client.ask("textDocument/completion", params);
    let items = answer["items"].as_array().unwrap().iter();
    items.map(|one| one["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_kind_of_blob_has_its_keys_and_values() {
    let in_catalog = |marked: &str| completed_beside("channels", marked);
    let channel = "schema: olm.channel\npackage: lighthouse\n";
    assert_eq!(in_catalog(&format!("{channel}¦")), ["name", "entries", "properties"]);
    assert_eq!(in_catalog(&format!("{channel}name: sta¦")), ["stable-1", "stable-2"]);
    assert_eq!(in_catalog("schema: olm.package\nname: ¦"), ["lighthouse"]);
    let properties = "schema: olm.bundle\npackage: lighthouse\nproperties:\n- type: olm.gvk¦";
    assert_eq!(in_catalog(properties), ["olm.gvk", "olm.gvk.required"]);
    let deprecations = "schema: olm.deprecations\npackage: lighthouse\nentries:\n- ¦";
    assert_eq!(in_catalog(deprecations), ["reference", "message"]);
    let reference = "schema: olm.deprecations\npackage: lighthouse\nentries:\n- reference:\n    schema: olm.channel\n    name: stab¦";
    assert_eq!(in_catalog(reference), ["stable-1", "stable-2"]);
}

#[test]
fn templates_are_completed_like_catalogs() {
    let in_template = |marked: &str| completed_beside("basic-template", marked);
    for (indent, end) in [("", "\n"), ("  ", "\n"), ("", "\r\n")] {
        let in_template = |marked: &str| in_template(&marked.replace('\n', end));
        let head = format!(
            "schema: olm.template.basic\nentries:\n{indent}- schema: olm.package\n{indent}  name: other\n"
        );
        let item = format!("{head}{indent}- schema: olm.channel\n{indent}  package: ");
        assert_eq!(in_template(&format!("{item}¦")), ["lighthouse", "other"]);
        let channel = format!("{item}lighthouse\n{indent}  ");
        assert_eq!(in_template(&format!("{channel}¦")), ["name", "entries", "properties"]);
        let entry = format!("{channel}entries:\n{indent}  - name: lighthouse.v1.0¦");
        assert_eq!(in_template(&entry), ["lighthouse.v1.0.0"]);
        assert_eq!(in_template(&format!("{head}{indent}- schema: olm.ch¦")), ["olm.channel"]);
    }
    let versions = "Schema: olm.semver\n";
    let in_versions =
        |rest: &str| completed_beside("semver-template", &format!("{versions}{rest}"));
    assert_eq!(in_versions("Sta¦"), ["Stable"]);
    assert_eq!(in_versions("Stable:\n  ¦"), ["Bundles"]);
    assert_eq!(in_versions("Stable:\n  Bundles:\n  - ¦"), ["Image"]);
    assert_eq!(in_versions("DefaultChannelTypePreference: ¦"), ["minor", "major"]);
    assert_eq!(completed_beside("semver-template", "schema: olm.semver\nsta¦"), ["stable"]);
}

/// Other YAML is none of its business.
#[test]
fn a_file_that_is_no_catalog_is_left_alone() {
    let folder = Scratch::new("language-server-other");
    let mut client = Client::new(folder.path());
    client.open("values.yaml", "replicas: 3\n");
    assert!(client.settled().is_empty());
    let params = json!({
        "textDocument": { "uri": client.uri("values.yaml") },
        "position": { "line": 0, "character": 1 },
    });
    assert_eq!(client.ask("textDocument/hover", params), Value::Null);
}

/// Names of channels often look like numbers.
#[test]
fn a_name_that_needs_quotes_gets_them() {
    let text = "schema: olm.package\nname: p\ndefaultChannel: \"4.10\"\n---\n\
                schema: olm.channel\npackage: p\nname: \"4.10\"\nentries:\n- name: p.v1.0.0\n";
    let folder = Scratch::with("language-server-quotes", &[("catalog.yaml", text)]);
    let mut client = Client::new(folder.path());
    client.open("catalog.yaml", text);
    client.settled();
    for written in ["", "\"", "\"\"", "4"] {
        let place = text.find("\"4.10\"").unwrap();
        let edited = text.replacen("\"4.10\"", written, 1);
        client.change("catalog.yaml", &edited);
        let cursor = position(&edited, place + written.len().min(1));
        let params =
            json!({ "textDocument": { "uri": client.uri("catalog.yaml") }, "position": cursor });
        let answer = client.ask("textDocument/completion", params);
        let new = answer["items"][0]["textEdit"]["newText"].as_str().unwrap();
        assert!(new == "\"4.10\"" || new == "'4.10'", "{written}: {new}");
    }
}

#[test]
fn a_file_that_is_typed_becomes_part_of_its_catalog() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/catalogs/skipped-twice");
    let text = std::fs::read_to_string(fixture.join("catalog.yaml")).unwrap();
    let folder = Scratch::new("language-server-typed");
    let path = "catalog/new.yaml";
    folder.write("catalog/old.yaml", "");
    let mut client = Client::new(folder.path());
    let uri = client.uri(path);
    client.open(path, "");
    assert_eq!(client.settled().get(&uri), None);
    // It is not on the disk either.
    client.change(path, &text);
    let told = client.settled().get(&uri).cloned().unwrap_or_default();
    assert!(!told.as_array().unwrap().is_empty());
    client.close(path);
    assert_eq!(client.settled()[&uri], json!([]));
}

#[test]
fn a_template_beside_a_catalog_is_checked_alone() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/catalogs");
    let folder = Scratch::copy_of("language-server-beside", &fixtures.join("skipped-twice"));
    let catalog = std::fs::read_dir(fixtures.join("semver-template")).unwrap();
    let template = catalog.map(|entry| entry.unwrap().path()).find(|path| path.is_file()).unwrap();
    let text = std::fs::read_to_string(template).unwrap();
    let broken = format!("{text}unknownKey: 1\n");
    folder.write("template.yaml", &broken);
    let mut client = Client::new(folder.path());
    client.open("template.yaml", &broken);
    let uri = client.uri("template.yaml");
    let told = client.settled().get(&uri).cloned().unwrap_or_default();
    assert!(told.to_string().contains("unknownKey"), "{told}");
}
