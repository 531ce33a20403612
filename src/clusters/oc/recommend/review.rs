//! What `recommend` has found so far: the issues, and which of them the administrator accepts.

use std::collections::BTreeSet;

use super::super::command_line::Flags;
use super::super::console::Console;

pub(super) struct Review<'a> {
    console: &'a mut Console,
    is_quiet: bool,
    accepted: &'a [String],
    /// The names of all issues found.
    issues: BTreeSet<String>,
}

impl<'a> Review<'a> {
    pub(super) fn new(flags: &'a Flags, console: &'a mut Console) -> Self {
        let (is_quiet, accepted) = (flags.is_on("quiet"), flags.list("accept"));
        Self { console, is_quiet, accepted, issues: BTreeSet::new() }
    }

    /// Prints text, unless only the names of issues are wanted.
    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        if !self.is_quiet {
            self.console.say(text);
        }
    }

    /// Prints a warning, unless only the names of issues are wanted.
    pub(super) fn warn(&mut self, text: impl AsRef<str>) {
        if !self.is_quiet {
            self.console.warn(text);
        }
    }

    pub(super) fn accepts(&self, issue: &str) -> bool {
        self.accepted.iter().any(|accepted| accepted == issue)
    }

    /// The word before the text about an issue.
    pub(super) fn prefix(&self, issue: &str) -> &'static str {
        if self.accepts(issue) { "accepted " } else { "" }
    }

    pub(super) fn add(&mut self, issue: &str) {
        self.issues.insert(issue.to_owned());
    }

    /// The names of all issues, and of those that are not accepted.
    pub(super) fn issues(&self) -> (Vec<&str>, Vec<&str>) {
        let all: Vec<&str> = self.issues.iter().map(String::as_str).collect();
        let open = all.iter().copied().filter(|issue| !self.accepts(issue)).collect();
        (all, open)
    }
}
