//! Any bytes as git's output, and any text as a cached history: no panic, and nothing invented.
//!
//! A line `===` separates the output of `rev-list` from that of `diff-tree`.

#![no_main]

use exitpath::testing::git::{file_changes, next_content, tree_entries};
use exitpath::testing::history::{cached_body, read_cached_body};
use libfuzzer_sys::fuzz_target;

/// What is kept of each object.
const MOST: u64 = 64;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    if let Some((commits, output)) = text.split_once("===\n") {
        // git ends fields with a byte that has no place in a stored text.
        let output = output.replace('@', "\0");
        let count = commits.lines().count();
        for change in file_changes(commits, output.as_bytes()) {
            assert!(change.commit_index < count.max(1));
            assert!(output.contains(&change.object) && output.contains(&change.path));
            let time = change.time.to_string();
            assert!(
                count == 0 || time == "0" || commits.lines().any(|line| is_at(line, change.time))
            );
        }
        for entry in tree_entries(output.as_bytes()) {
            assert!(!entry.path.contains(&0));
            assert!(output.contains(&entry.object) && output.contains(&entry.mode));
        }
    }

    let mut rest: &[u8] = input;
    while let Ok(content) = next_content(&mut rest, MOST) {
        assert!(content.len() as u64 <= MOST && content.len() < input.len());
    }

    if let Some(history) = read_cached_body(&text) {
        let written = cached_body(&history);
        assert_eq!(read_cached_body(&written), Some(history), "{written:?}");
    }
});

/// Whether a line begins with a time, as the second line of each commit does.
fn is_at(line: &str, time: i64) -> bool {
    line.split(' ').next().is_some_and(|first| first.parse() == Ok(time))
}
