//! How cases that real programs answered are counted.

use std::panic::catch_unwind;

use serde_json::{Value as Json, json};

use crate::shared::vectors::judge;

/// Whether a test passes with so many cases that are unequal, and so many that it cannot read.
fn passes(all: usize, unequal: usize, unreadable: usize) -> bool {
    let case = |at: usize| json!({"name": format!("case-{at}"), "at": at});
    let cases: Vec<Json> = (0..all).map(case).collect();
    let difference = |case: &Json| {
        let at = usize::try_from(case["at"].as_u64()?).ok()?;
        assert!(at >= unreadable, "the harness does not know this event");
        (at < unreadable + unequal).then(|| "other words".to_owned())
    };
    catch_unwind(|| judge("a_test_of_the_harness", &cases, difference)).is_ok()
}

#[test]
fn the_share_of_unequal_cases_decides() {
    assert!(passes(100, 3, 0));
    assert!(passes(100, 1, 2), "a case that cannot be read is unequal, and hides no other");
    assert!(!passes(100, 4, 0));
    assert!(!passes(100, 0, 4));
    assert!(!passes(0, 0, 0), "a file without cases proves nothing");
}
