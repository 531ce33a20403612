//! Any text as a query: no panic, and no position outside of it.

#![no_main]

use exitpath::testing::promql::{self, Answer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match promql::parse(text) {
        Ok(query) => {
            for (_, node) in query.nodes() {
                assert!(text.get(node.range.clone()).is_some());
            }
            let _ = Answer::of(&query);
        }
        Err(error) => {
            assert!(text.get(error.range).is_some());
            assert!(error.opened.is_none_or(|opened| text.get(opened).is_some()));
        }
    }
});
