//! A set of rules, named by codes, names and families.

use crate::domain::Named;
use crate::rules::{Family, RULES, Retired, Rule};
use crate::text::closest;

use super::error::ConfigError;

/// A set of rules, named by codes, names and families.
#[derive(Clone, Debug)]
pub struct Selection {
    pub(super) rules: Vec<&'static Rule>,
    pub(super) removed: Vec<&'static Retired>,
}

impl Default for Selection {
    fn default() -> Self {
        Self { rules: RULES.to_vec(), removed: Vec::new() }
    }
}

impl Selection {
    /// Removed rules are accepted, so that a command line or a config works with every version.
    pub fn of(words: &[String]) -> Result<Self, ConfigError> {
        let (mut rules, mut removed) = (Vec::new(), Vec::new());
        for word in words {
            let word = word.trim();
            let before = rules.len();
            rules.extend(
                RULES.iter().filter(|rule| rule.is_called(word) || rule.family.name() == word),
            );
            if rules.len() == before {
                let retired = Retired::removed(word);
                removed.push(retired.ok_or_else(|| ConfigError(unknown(word)))?);
            }
        }
        Ok(Self { rules, removed })
    }

    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        self.rules.retain(|rule| !other.takes(rule));
        self.removed.extend(&other.removed);
        self
    }

    /// Without the rules that need the update graph.
    #[must_use]
    pub fn without_updates(mut self) -> Self {
        self.rules.retain(|rule| !rule.needs_updates());
        self
    }

    #[must_use]
    pub fn removed(&self) -> &[&'static Retired] {
        &self.removed
    }

    #[must_use]
    pub fn takes(&self, rule: &Rule) -> bool {
        self.rules.iter().any(|taken| taken.code == rule.code)
    }
}

fn unknown(word: &str) -> String {
    let names = RULES.iter().map(|rule| rule.name).chain(Family::names());
    let hint =
        closest(word, names).map_or_else(String::new, |meant| format!(" Did you mean `{meant}`?"));
    format!("there is no rule or family `{word}`.{hint} `exitpath rules` lists all")
}
