//! What an edit of `exitpath.toml` does to a check, in words.

use std::collections::BTreeSet;

use crate::domain::{FailOn, Severity};
use crate::rules::{RULES, Rule};
use crate::text::words::counted;

use super::{Config, Level};

impl Config {
    /// What another state of the file hides or weakens. None if the files are equal.
    pub(crate) fn difference(&self, after: &Self) -> Option<Vec<String>> {
        if self.text == after.text {
            return None;
        }
        let mut words = Vec::new();
        let mut count = |count: usize, one: &str, is: (&str, &str), what: &str| {
            if count > 0 {
                let is = if count == 1 { is.0 } else { is.1 };
                words.push(format!("{} {is} {what}", counted(count, one)));
            }
        };
        count(self.newly_ignored(after), "rule", ("is", "are"), "newly ignored");
        let weaker = RULES
            .iter()
            .copied()
            .filter(|rule| after.is_on(rule) && after.severity_of(rule) < self.severity_of(rule));
        count(weaker.count(), "rule", ("has", "have"), "a lower severity");
        if after.fails_later_than(self) {
            words.push("fewer findings fail the check".to_owned());
        }
        if self.baseline != after.baseline {
            words.push("another baseline is named".to_owned());
        }
        Some(words)
    }

    fn is_on(&self, rule: &Rule) -> bool {
        self.level(rule).map_or(rule.properties.is_on_by_default, |level| level != Level::Off)
    }

    fn severity_of(&self, rule: &Rule) -> Severity {
        match self.level(rule) {
            Some(Level::At(severity)) => severity,
            _ => rule.severity,
        }
    }

    /// How many entries of another state ignore rules that this one does not ignore.
    fn newly_ignored(&self, after: &Self) -> usize {
        let is_known = |written| self.ignores.iter().any(|ignore| ignore.written == written);
        let new = after.ignores.iter().filter(|ignore| !is_known(ignore.written.clone()));
        let rules = new.flat_map(|ignore| {
            let covers = |rule: &&Rule| ignore.rules.as_ref().is_none_or(|it| it.covers(rule));
            RULES.iter().copied().filter(covers).map(|rule| rule.code)
        });
        let newly_off = RULES.iter().filter(|rule| self.is_on(rule) && !after.is_on(rule));
        rules.chain(newly_off.map(|rule| rule.code)).collect::<BTreeSet<&str>>().len()
    }

    /// Whether this state lets findings pass that fail the check of another state.
    fn fails_later_than(&self, other: &Self) -> bool {
        let fails = |config: &Self, severity| {
            config.fail_on.unwrap_or(FailOn::AtLeast(Severity::Error)).is_reached(severity)
        };
        let mut severities = [Severity::Info, Severity::Warning, Severity::Error].into_iter();
        severities.any(|severity| fails(other, severity) && !fails(self, severity))
    }
}
