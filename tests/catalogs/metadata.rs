//! Properties of bundles: what they require, and what OLM ignores in them.

use std::collections::BTreeMap;

use exitpath::testing::catalog::{load_texts, packages};
use exitpath::testing::lint::{CatalogState, Request, lint_catalogs};
use exitpath::testing::rules::CatalogSubject;

/// A package with one bundle that has a property.
fn package(name: &str, entry: &str, property: &str) -> String {
    format!(
        "schema: olm.package\nname: {name}\ndefaultChannel: c\n---\nschema: olm.channel\npackage: \
         {name}\nname: c\nentries:\n- {{name: {name}.v1.1.0{entry}}}\n---\nschema: olm.bundle\npackage: \
         {name}\nname: {name}.v1.1.0\nimage: a/b\nproperties:\n- {{type: olm.package, value: \
         {{packageName: {name}, version: 1.1.0}}}}\n- {property}\n"
    )
}

/// The rules that find something in a catalog, with their messages.
fn found(text: String) -> Vec<(&'static str, String)> {
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), text)]));
    let packages = packages(&loaded.catalogs[0].declared);
    let subjects = [CatalogSubject::new(&loaded.catalogs[0], &packages, &[])];
    let state = CatalogState { loaded: &loaded, subjects: &subjects };
    let findings = lint_catalogs(state, None, &Request::default()).findings;
    findings.into_iter().map(|finding| (finding.rule.name, finding.message)).collect()
}

fn rules(text: String) -> Vec<&'static str> {
    found(text).into_iter().map(|(rule, _)| rule).collect()
}

fn gvk(property: &str, group: &str, kind: &str) -> String {
    format!("{{type: {property}, value: {{group: {group}, kind: {kind}, version: v1}}}}")
}

#[test]
fn an_api_of_an_unknown_group_is_reported_only_in_a_catalog_with_several_packages() {
    let needs = package("p", "", &gvk("olm.gvk.required", "lamps.example.com", "Lamp"));
    assert_eq!(rules(needs.clone()), Vec::<&str>::new());
    let other = package("q", "", &gvk("olm.gvk", "chairs.example.com", "Chair"));
    assert_eq!(rules(format!("{needs}---\n{other}")), ["unprovided-api"]);
    let provider = package("q", "", &gvk("olm.gvk", "lamps.example.com", "Lamp"));
    assert_eq!(rules(format!("{needs}---\n{provider}")), Vec::<&str>::new());
}

#[test]
fn a_kind_of_a_known_group_is_reported_in_any_catalog() {
    let needs = gvk("olm.gvk.required", "lamps.example.com", "Lmap");
    let own = format!("{needs}\n- {}", gvk("olm.gvk", "lamps.example.com", "Lamp"));
    assert_eq!(rules(package("p", "", &own)), ["unprovided-api"]);
}

#[test]
fn a_constraint_is_read_as_strictly_as_olm_reads_it() {
    let constraint = |value: &str| {
        let property = format!("{{type: olm.constraint, value: {value}}}");
        found(package("p", "", &property)).into_iter().map(|(_, message)| message).collect()
    };
    let valid: [Vec<String>; 3] = [
        constraint("{all: {constraints: [{package: {packageName: q, versionRange: '>=1.0.0'}}]}}"),
        constraint("{failureMessage: why, gvk: {group: g, kind: K, version: v1}}"),
        constraint("{cel: {rule: 'true'}}"),
    ];
    assert!(valid.iter().all(Vec::is_empty), "{valid:?}");
    for (value, why) in [
        ("{}", "constraint is empty"),
        ("{all: [{gvk: {kind: K}}]}", "cannot unmarshal array"),
        ("{not: {constraints: [{lamp: 1}]}}", "unknown field \"lamp\""),
        ("{package: {packageName: q, versionRange: ^1.0.0}}", "Could not parse Range"),
    ] {
        let messages: Vec<String> = constraint(value);
        assert!(messages.len() == 1 && messages[0].contains(why), "{value}: {messages:?}");
    }
}

#[test]
fn an_ignored_range_counts_only_if_no_entry_has_it() {
    let metadata =
        "{type: olm.csv.metadata, value: {annotations: {olm.skipRange: '>=1.0.0  <1.1.0'}}}";
    assert_eq!(rules(package("p", "", metadata)), ["ignored-skip-range"]);
    assert_eq!(rules(package("p", ", skipRange: '>=1.0.0 <1.1.0'", metadata)), Vec::<&str>::new());
}

#[test]
fn icons_and_csv_metadata_have_the_types_that_opm_reads() {
    let with_icon = |data: &str| {
        let icon = format!("defaultChannel: c\nicon: {{base64data: {data}, mediatype: image/png}}");
        found(package("p", "", "{type: a, value: b}").replacen("defaultChannel: c", &icon, 1))
    };
    assert_eq!(with_icon("aGVsbG8="), []);
    for data in ["'no!'", "aGVsbG8"] {
        let found = with_icon(data);
        assert_eq!(found.len(), 1, "{data}: {found:?}");
        assert_eq!(found[0].0, "catalog-wrong-type");
        assert!(found[0].1.contains("expected base64"), "{found:?}");
    }
    let of_csv = |value: &str| {
        rules(package("p", "", &format!("{{type: olm.csv.metadata, value: {value}}}")))
    };
    assert_eq!(of_csv("{displayName: P, keywords: [a]}"), Vec::<&str>::new());
    for value in ["{displayName: [1]}", "{keywords: a}", "{annotations: {a: 1}}"] {
        assert_eq!(of_csv(value), ["catalog-wrong-type"], "{value}");
    }
}
