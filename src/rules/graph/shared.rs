//! A mistake that a file repeats is one finding: programs generate graphs, and a program with
//! a bug makes the same mistake ten thousand times.

use crate::rules::{Finding, Rule};
use crate::text::Span;

/// How many further places a finding points at.
const RELATED: usize = 5;

/// The places of one kind of mistake.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The first of them, each with what tells it from the others.
    shown: Vec<(Span, String)>,
    count: usize,
}

impl Tally {
    /// Counts a place. It is named only if it will be shown; it need not have a name.
    pub(super) fn add(&mut self, span: Span, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.shown.len() <= RELATED {
            self.shown.push((span, name()));
        }
    }

    /// The finding on the first place, which `say` puts in words by its name; none where
    /// nothing was counted.
    pub(super) fn finding(
        self,
        rule: &'static Rule,
        say: impl FnOnce(&str) -> String,
    ) -> Option<Finding> {
        let count = self.count;
        let mut shown = self.shown.into_iter();
        let (span, name) = shown.next()?;
        let message = match count - 1 {
            0 => say(&name),
            1 => format!("{} (and 1 more)", say(&name)),
            more => format!("{} (and {more} more)", say(&name)),
        };
        let finding = Finding::at(rule, span, message).about(name);
        Some(shown.fold(finding, |finding, (span, name)| {
            let name = if name.is_empty() { "here".to_owned() } else { format!("here: {name}") };
            finding.related(span, format!("the same problem {name}"))
        }))
    }
}
