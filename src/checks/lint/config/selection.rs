//! A set of rules, named by codes, names and families.

use crate::domain::Named;
use crate::rules::{Family, RULES, Retired, Rule};
use crate::text::{Failure, closest};

/// A set of rules, named by codes, names and families.
#[derive(Clone, Debug)]
pub struct Selection {
    pub(super) rules: Vec<&'static Rule>,
    /// Selected rules that are off by default. Only the config can turn them on.
    optional: Vec<&'static Rule>,
    pub(super) removed: Vec<&'static Retired>,
}

impl Default for Selection {
    fn default() -> Self {
        let (optional, rules) = RULES.iter().partition(|rule| !rule.properties.is_on_by_default);
        Self { rules, optional, removed: Vec::new() }
    }
}

impl Selection {
    /// Reads a selection. It accepts removed rules, so that a command line or a config works with
    /// every version.
    pub fn of(words: &[String]) -> Result<Self, Failure> {
        let (mut rules, mut optional, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        for word in words {
            let word = word.trim();
            let named = RULES.iter().filter(|rule| rule.is_called(word));
            let of_family = RULES.iter().filter(|rule| rule.family.name() == word);
            let (off, on): (Vec<&'static Rule>, Vec<&'static Rule>) =
                of_family.partition(|rule| !rule.properties.is_on_by_default);
            let before = rules.len();
            rules.extend(named.chain(&on).copied());
            optional.extend(off);
            if rules.len() == before {
                let retired = Retired::removed(word);
                removed.push(retired.ok_or_else(|| Failure::new(unknown(word)))?);
            }
        }
        Ok(Self { rules, optional, removed })
    }

    pub fn without(mut self, other: &Self) -> Self {
        self.rules.retain(|rule| !other.takes(rule));
        self.optional.retain(|rule| !other.covers(rule));
        self.removed.extend(&other.removed);
        self
    }

    /// The selection without the rules that need the update graph.
    pub fn without_updates(mut self) -> Self {
        self.rules.retain(|rule| !rule.needs_updates());
        self
    }

    pub fn removed(&self) -> &[&'static Retired] {
        &self.removed
    }

    /// Whether it selects a rule if the config turns the rule on.
    pub fn can_take(&self, rule: &Rule) -> bool {
        self.optional.iter().any(|taken| taken.code == rule.code)
    }

    /// Whether its words name a rule, its family, or all rules.
    pub fn covers(&self, rule: &Rule) -> bool {
        self.takes(rule) || self.can_take(rule)
    }

    /// Whether it takes one of the rules that `is_one` is true for.
    pub(crate) fn takes_any(&self, is_one: impl Fn(&Rule) -> bool) -> bool {
        self.rules.iter().any(|rule| is_one(rule))
    }

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
