//! Edits of a text.

use std::ops::Range;

/// Edits of one text. They do not overlap.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub(super) fn replace(&mut self, range: Range<usize>, text: String) {
        self.0.push((range, text));
    }

    /// Inserts a text. Of two at one place, the first one comes first.
    pub(super) fn insert(&mut self, at: usize, text: String) {
        self.replace(at..at, text);
    }

    pub(super) fn applied_to(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut edited = String::new();
        let mut done = 0;
        for (range, new) in self.0 {
            edited += text.get(done..range.start).unwrap_or_default();
            edited += &new;
            done = range.end;
        }
        edited + text.get(done..).unwrap_or_default()
    }
}
