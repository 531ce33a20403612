//! Any text as YAML: no panic, and no position outside of it.

#![no_main]

use exitpath::testing::text::Source;
use exitpath::testing::yaml;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match yaml::parse(text) {
        Ok(document) => {
            let source = Source::new(String::new(), text.to_owned());
            for (id, node) in document.nodes() {
                assert!(text.get(node.range.clone()).is_some());
                let _ = source.position(node.range.start);
                let segments = yaml::segments(text, &document, id);
                for offset in 0..=document.text(id).map_or(0, str::len) {
                    assert!(segments.source_offset(offset) <= text.len());
                }
            }
            let _ = document.to_json();
        }
        Err(error) => assert!(text.is_char_boundary(error.offset)),
    }
});
