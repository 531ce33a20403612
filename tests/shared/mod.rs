//! What the test binaries share.

#![allow(dead_code, reason = "each binary uses a part")]

pub(crate) mod fake_prometheus;
pub(crate) mod golden;
pub(crate) mod rule_examples;
pub(crate) mod run;
pub(crate) mod scratch;
pub(crate) mod vectors;

use std::io::Write;
use std::path::PathBuf;

/// Writes a line to the terminal. `cargo test` hides what `eprintln` writes in tests that pass.
pub(crate) fn say(words: &str) {
    let _ = writeln!(std::io::stderr(), "{words}");
}

/// Says on the terminal that the running test, or a part of it, is skipped. `.ci/tests` counts
/// these lines.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    say(&format!("skipped {}: {why}", thread.name().unwrap_or("a test")));
}

/// A file or folder of the real data. Without it, the running test is skipped.
pub(crate) fn real_data(path: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("EXITPATH_REAL_DATA") else {
        skipped("EXITPATH_REAL_DATA is not set");
        return None;
    };
    let found = PathBuf::from(folder).join(path);
    if !found.exists() {
        skipped(&format!("there is no {path} in the folder that EXITPATH_REAL_DATA names"));
        return None;
    }
    Some(found)
}
