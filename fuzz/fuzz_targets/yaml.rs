//! Any text as YAML: no panic, no position outside of it, and plain texts are read as the library
//! reads them.

#![no_main]

use exitpath::testing::text::Source;
use exitpath::testing::yaml;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(plain) = yaml::read_plain(text) {
        assert!(yaml::parse_with_library(text).is_ok_and(|whole| plain.has_content_of(&whole)));
    }
    match yaml::parse(text) {
        Ok(document) => {
            let source = Source::new(String::new(), text.to_owned());
            for (id, node) in document.nodes() {
                assert!(text.get(node.range()).is_some());
                let _ = source.position(node.range().start);
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
