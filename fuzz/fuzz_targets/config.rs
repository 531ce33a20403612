//! Any text as `exitpath.toml`: no panic, no path outside the repository, and the published schema
//! takes what the reader takes.

#![no_main]

use std::sync::LazyLock;

use exitpath::testing::graph_data::GraphData;
use exitpath::testing::lint::{Config, Request, lint};
use exitpath::testing::schema;
use exitpath::testing::tree::Blob;
use libfuzzer_sys::fuzz_target;

/// Some findings of several families and severities, for the config to change.
static DATA: LazyLock<GraphData> = LazyLock::new(|| {
    let files = [
        ("blocked-edges/4.14.3.yaml", "to: v4.14.3\nform: 4[.]13[.].*\n"),
        ("blocked-edges/4.14.4-A.yaml", "to: 4.14.4\nfrom: x\nurl: u\nname: A\nmessage: b\n"),
        (
            "channels/stable-4.14.yaml",
            "name: stable-4.14\nversions:\n- 4.14.4\n- 4.14.3\n- 4.14.4\n",
        ),
        ("internal-channels/fast.yaml", "name: fast\nversions: []\n"),
        ("raw/metadata.json", "{}"),
        ("version", "1.1.0\n"),
    ];
    let blob = |(path, text): (&str, &str)| Blob::new(path.to_owned(), Ok(text.into()));
    GraphData::from_blobs(files.map(blob).into())
});

fuzz_target!(|text: &str| {
    let config = match Config::parse(text) {
        Ok(config) => config,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for path in config.baseline.iter().chain(&config.releases) {
        let is_outside = path.starts_with('/') || path.split('/').any(|part| part == "..");
        assert!(!is_outside, "a path outside the repository: {path}");
    }
    let all = lint(&DATA, None, &Request::default()).findings;
    let value: serde_json::Value = toml::from_str(text).expect("what the reader takes is TOML");
    let is_valid = schema::CONFIG.validator().is_valid(&value);
    assert!(is_valid || is_looser_than_the_schema(&value), "the schema refuses {value}");
    let outcome = lint(&DATA, None, &Request { config, ..Request::default() });
    assert!(outcome.findings.len() + outcome.hidden <= all.len(), "a config adds no findings");
});

/// The reader also takes names of rules in any case and removed rules, which the schema, made for
/// editors, does not list.
fn is_looser_than_the_schema(value: &serde_json::Value) -> bool {
    value.get("rules").is_some() || value.get("ignore").is_some()
}
