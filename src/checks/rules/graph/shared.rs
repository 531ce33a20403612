//! What several rules about update graphs need.

use crate::rules::{Finding, Rule};
use crate::text::Span;
use crate::text::words::grouped;

/// The most related places of a finding. Formats for people show a few of them.
const RELATED: usize = 1_000;

/// The places of one kind of mistake. All of them are one finding: programs generate graphs, and a
/// program with a bug makes the same mistake thousands of times.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The first places, each with a name.
    shown: Vec<(Span, String)>,
    count: usize,
}

impl Tally {
    /// Counts a place. `name` runs only if the place will be shown, and may return nothing.
    pub(super) fn add(&mut self, span: Span, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.shown.len() <= RELATED {
            self.shown.push((span, name()));
        }
    }

    /// The finding at the first place, if there is any. `say` makes the message from its name.
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
            more => format!("{} (and {} more)", say(&name), grouped(more)),
        };
        let finding = Finding::at(rule, span, message).about(name);
        Some(shown.fold(finding, |finding, (span, name)| {
            let name = if name.is_empty() { "here".to_owned() } else { format!("here: {name}") };
            finding.related(span, format!("the same problem {name}"))
        }))
    }
}
