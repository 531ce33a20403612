//! Hostile catalogs get a clear answer: no panic, no hang, no silence.

use std::collections::BTreeMap;

use exitpath::testing::catalog::{
    ChannelMoves, Resolver, load_texts, objections, packages, verdict,
};

const BUNDLE: &str = "---\nschema: olm.bundle\npackage: p\nname: p.v1\nimage: a/b\nproperties:\n\
                      - {type: olm.package, value: {packageName: p, version: 1.0.0}}\n";
const PACKAGE: &str = "schema: olm.package\nname: p\ndefaultChannel: c\n";
const CHANNEL: &str = "---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1}]\n";

fn opm_says(text: &str) -> Option<String> {
    let files = BTreeMap::from([("catalog.yaml".to_owned(), text.to_owned())]);
    let loaded = load_texts(&files);
    verdict(&objections(&loaded.catalogs[0].declared))
}

fn words(text: &str) -> String {
    opm_says(text).unwrap_or_default()
}

#[test]
fn the_plain_catalog_is_valid() {
    assert_eq!(opm_says(&format!("{PACKAGE}{CHANNEL}{BUNDLE}")), None);
}

#[test]
fn documents_that_are_no_objects_are_refused() {
    assert!(words(&format!("{PACKAGE}---\n# only a comment\n---\n{CHANNEL}")).contains("''"));
    assert!(words("~").contains("missing root schema field"));
    assert!(words("{} []").contains("missing root schema field"));
    assert!(words("--- ~x\n").contains("invalid Yaml document separator"));
    assert!(words("&a [*a]").contains("error"));
}

#[test]
fn aliases_do_not_multiply() {
    let mut bomb = "schema: custom\na0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..40 {
        let last = level - 1;
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{last}"); 8].join(", "));
    }
    assert!(words(&bomb).contains("excessive aliasing"));
}

#[test]
fn deep_nesting_ends() {
    for text in ["[".repeat(500_000), "{\"a\":".repeat(500_000), "- ".repeat(200_000)] {
        assert!(!words(&text).is_empty());
    }
    let json = format!("{{\"schema\": {}{}}}", "[".repeat(9_000), "]".repeat(9_000));
    assert!(!words(&json).is_empty());
}

#[test]
fn a_stream_may_change_its_syntax_once() {
    let json = "{\"schema\": \"olm.package\", \"name\": \"p\", \"defaultChannel\": \"c\"}\n";
    assert_eq!(opm_says(&format!("{json}{CHANNEL}{BUNDLE}")), None);
    assert!(words(&format!("{json}{json}{CHANNEL}")).contains("json: offset"));
}

/// Each channel has a hundred thousand entries.
#[test]
fn huge_channels_take_no_longer_than_reading_them() {
    let count = 100_000;
    let channel = |entry: &dyn Fn(usize) -> String| {
        let entries: String = (0..count).map(|at| entry(at) + "\n").collect();
        let text = format!("{PACKAGE}---\nschema: olm.channel\npackage: p\nname: c\nentries:\n");
        let files = BTreeMap::from([("catalog.yaml".to_owned(), text + &entries)]);
        let loaded = load_texts(&files);
        let declared = &loaded.catalogs[0].declared;
        let said = objections(declared).len();
        let packages = packages(declared);
        let channel = &packages[0].channels[0];
        assert_eq!(channel.entries.len(), count);
        let moves = ChannelMoves::of(&packages[0], channel, &[], Resolver::V0);
        (said, moves.is_ok())
    };
    // Nothing has a bundle, so each entry is an objection.
    let chain = |at: usize| format!("- {{name: p.v{at}, replaces: p.v{}}}", at + 1);
    let (said, _) = channel(&chain);
    assert!(said > count, "{said}");
    let circle = |at: usize| format!("- {{name: p.v{at}, replaces: p.v{}}}", (at + 1) % count);
    channel(&circle);
    let alone = |at: usize| format!("- {{name: p.v{at}}}");
    channel(&alone);
}

#[test]
fn a_channel_with_too_many_edges_is_not_simulated() {
    let count = 6_000;
    let mut text = format!("{PACKAGE}---\nschema: olm.channel\npackage: p\nname: c\nentries:\n");
    for at in 0..count {
        text += &format!("- {{name: p.v{at}, skipRange: '>=0.0.0 <{at}.0.0'}}\n");
    }
    for at in 0..count {
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{at}\nimage: a/b\nproperties:\n"
        );
        text += &format!("- {{type: olm.package, value: {{packageName: p, version: {at}.0.0}}}}\n");
    }
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), text)]));
    let packages = packages(&loaded.catalogs[0].declared);
    let moves = ChannelMoves::of(&packages[0], &packages[0].channels[0], &[], Resolver::V0);
    assert!(moves.is_err());
}
