//! The reader of plain texts and the plain forms of files agree with the libraries.

use std::fs;
use std::path::Path;

use exitpath::testing::schema::{self, Schema};
use exitpath::testing::yaml;
use proptest::prelude::*;

use crate::data::judges::{GOOD, damaged, small_change};
use crate::files_below;

const SUGGESTIONS: &str = "default:\n  minor_min: 4.13.9\n  minor_max: 4.13.9999\n  minor_block_list: []\n  z_min: 4.14.0\n  z_max: 4.14.9999\n  z_block_list:\n  - 4.14.1\n  - 4.14.2-rc.1\n";
const METADATA: &str = "{\n    \"4.1.0\": {\n        \"io.openshift.upgrades.graph.previous.add\": \"4.1.0-rc.4,4.1.0-rc.9\"\n    }\n}\n";

/// The schemas whose plain forms are known.
fn schemas() -> [&'static Schema; 5] {
    ["blocked-edges-1.0.0", "blocked-edges-1.1.0", "channel", "build-suggestions", "raw-metadata"]
        .map(|name| *schema::ALL.iter().find(|schema| schema.name == name).unwrap())
}

/// The reader of plain texts reads a text as the library does, if it reads it at all.
fn plain_reader_agrees(text: &str) -> Result<bool, TestCaseError> {
    let Some(plain) = yaml::read_plain(text) else { return Ok(false) };
    let whole = yaml::parse_with_library(text);
    let is_same = whole.as_ref().is_ok_and(|whole| plain.has_content_of(whole));
    prop_assert!(is_same, "{text:?} is {plain:#?}, and the library says {whole:#?}");
    let is_distinct = plain.duplicate_keys().next().is_none();
    let of_service = serde_yaml::from_str::<serde_yaml::Value>(text);
    prop_assert!(!is_distinct || of_service.is_ok(), "{text:?}: {of_service:?}");
    Ok(true)
}

/// The schemas find the faults of a plain form.
fn plain_forms_agree(text: &str) -> Result<(), TestCaseError> {
    let Ok(document) = yaml::parse(text) else { return Ok(()) };
    let Ok(json) = document.to_json() else { return Ok(()) };
    for schema in schemas() {
        let Some(usual) = schema.plain_faults(&document) else { continue };
        prop_assert_eq!(
            usual,
            schema::faults(schema, &document, &json),
            "{}: {:?}",
            schema.name,
            text
        );
        prop_assert!(document.duplicate_keys().next().is_none(), "{}: {text:?}", schema.name);
    }
    Ok(())
}

#[test]
fn good_files_are_plain() {
    let is_plain = |text: &str| yaml::read_plain(text).is_some();
    let has_form = |text: &str| {
        let document = yaml::parse(text).unwrap();
        schemas().iter().any(|schema| schema.plain_faults(&document).is_some())
    };
    for (path, text) in GOOD {
        let is_usual = !text.starts_with('{');
        let is_draft = text.contains("clusters");
        assert_eq!(is_plain(text), is_usual, "{path}");
        assert_eq!(has_form(text), !is_draft, "{path}");
    }
    assert!(is_plain(SUGGESTIONS) && has_form(SUGGESTIONS) && has_form(METADATA));
}

#[test]
fn metadata_with_a_key_twice_is_not_plain() {
    let schema = schemas()[4];
    let has_form = |text: &str| schema.plain_faults(&yaml::parse(text).unwrap()).is_some();
    let key = "\"io.openshift.upgrades.graph.previous.add\": \"4.1.0-rc.4\"";
    let release = |version: &str, keys: &str| format!("\"{version}\": {{{keys}}}");
    assert!(has_form(&format!("{{{}, {}}}", release("4.1.0", key), release("4.1.1", key))));
    assert!(!has_form(&format!("{{{}, {}}}", release("4.1.0", key), release("4.1.0", key))));
    assert!(!has_form(&format!("{{{}}}", release("4.1.0", &format!("{key}, {key}")))));
    let many: Vec<String> = (0..12).map(|patch| release(&format!("4.1.{patch}"), key)).collect();
    assert!(has_form(&format!("{{{}}}", many.join(", "))));
    assert!(!has_form(&format!("{{{}, {}}}", many.join(", "), release("4.1.3", key))));
}

/// Texts that look alike, but are not the same to a parser.
#[test]
fn what_is_not_certain_is_left_to_the_library() {
    let left = [
        "",
        "\n",
        "a",
        "a: b: c\n",
        "a: b\n c: d\n",
        "a:\n",
        "a: |\n",
        "a: |\n\n  b\n",
        "a: |2\n  b\n",
        "a: |\n  b\n c\n",
        "a: >\n  b\n",
        "a: &x b\n",
        "a: *x\n",
        "a: !!str b\n",
        "a: 'b''c'\n",
        "a: \"b\\n\"\n",
        "a: \"b\" c\n",
        "a: [b]\n",
        "a: {}\n",
        "a: b\n---\nc: d\n",
        "---\na: b\n",
        "a: b\n...\n",
        "a: b\r\n",
        "a:\tb\n",
        "a: é\n",
        "- - a\n",
        "-\n  a\n",
        "? a\n: b\n",
        "a: b\n\n  c\n",
        "a: - b\n",
        "a: b\n - c\n",
        "a: @b\n",
        "a: %b\n",
        "%YAML 1.2\n",
        "'a': b\n",
        "a : b\n",
        "a: b \n",
    ];
    for text in left {
        assert!(yaml::read_plain(text).is_none(), "{text:?}");
    }
}

#[test]
fn every_file_of_the_fixtures_is_read_as_the_library_reads_it() {
    let mut plain = 0;
    for path in files_below(Path::new("fixtures")) {
        let is_yaml = path.extension().is_some_and(|extension| extension == "yaml");
        let Some(text) = is_yaml.then(|| fs::read_to_string(path).ok()).flatten() else { continue };
        plain += usize::from(plain_reader_agrees(&text).unwrap());
        plain_forms_agree(&text).unwrap();
    }
    assert!(plain > 500, "{plain}");
}

proptest! {
    #![proptest_config(crate::cases(20_000))]

    #[test]
    fn plain_reader_and_forms_agree_on_random_small_changes(
        file in 0..GOOD.len() + 2,
        damages in proptest::collection::vec(small_change(), 1..5),
    ) {
        let more = [("", SUGGESTIONS), ("", METADATA)];
        let (_, good) = GOOD.iter().chain(&more).nth(file).unwrap();
        let text = damages.into_iter().fold((*good).to_owned(), |text, one| damaged(&text, one));
        plain_reader_agrees(&text)?;
        plain_forms_agree(&text)?;
    }

    /// Lines that mean something else below, beside, or inside of each other.
    #[test]
    fn the_plain_reader_agrees_on_random_lines(
        lines in proptest::collection::vec(
            " {0,4}(- ){0,2}((a|b-1): ?)?(\\||\\|-|x|x y|'x'|\"x\"|\\[\\]|x # y|x#y|# x|x:|a: b|1| |-|\\?)?",
            1..8,
        ),
        ends in any::<bool>(),
    ) {
        let text = lines.join("\n") + if ends { "\n" } else { "" };
        plain_reader_agrees(&text)?;
    }
}
