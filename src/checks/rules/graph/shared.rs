//! What several rules about update graphs need.

use crate::rules::{Finding, Rule};
use crate::text::Span;
use crate::text::words::grouped;

/// The most related places of a finding. Formats for people show only a few of them.
const RELATED: usize = 1_000;

/// The places of one kind of mistake. They are one finding, because graphs are generated, and a bug
/// in a generator repeats one mistake thousands of times.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The first places, each with a name for the message.
    shown: Vec<(Span, String)>,
    count: usize,
}

impl Tally {
    /// Counts a place. `name` is called only if the place will be shown, and may return an empty
    /// name.
    pub(super) fn add(&mut self, span: Span, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.shown.len() <= RELATED {
            self.shown.push((span, name()));
        }
    }

    /// The finding at the first place, if there is any. `say` turns the name of the first place
    /// into the message.
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
