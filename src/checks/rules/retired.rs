//! Rules that are deprecated or removed. People keep their codes and names in configs and comments,
//! so these stay known, and no other rule gets them.

use super::Rule;

/// What became of a rule.
#[derive(Debug)]
pub struct Retired {
    /// Its code.
    pub code: &'static str,
    /// Its name, then the names that it had before.
    pub names: &'static [&'static str],
    /// The version of exitpath that first deprecated or removed it.
    pub since: &'static str,
    /// The reason, as a clause that begins in lower case.
    pub why: &'static str,
    /// The name of the rule to use instead.
    pub successor: Option<&'static str>,
}

/// Rules that still work, and that a later version removes.
static DEPRECATED: &[Retired] = &[
    #[cfg(test)]
    Retired {
        code: "EP203",
        names: &["vague-url"],
        since: "0.0.1",
        why: "this entry is only for tests",
        successor: Some("invalid-url"),
    },
];

/// Rules that no longer exist.
pub static REMOVED: &[Retired] = &[
    #[cfg(test)]
    Retired {
        code: "EP000",
        names: &["removed-example", "older-example"],
        since: "0.0.1",
        why: "this entry is only for tests",
        successor: Some("vague-url"),
    },
    Retired {
        code: "EP224",
        names: &["auto-extend-missing"],
        since: "0.1.0",
        why: "the repository's presubmit refuses every difference in `autoExtend`",
        successor: Some("risk-disagrees"),
    },
    Retired {
        code: "OC114",
        names: &["replaces-and-skips"],
        since: "0.1.0",
        why: "where opm accepts the channel, the skip affects only installs that are stuck",
        successor: Some("dead-end"),
    },
];

impl Retired {
    /// Finds the removed rule with this code or name.
    pub fn removed(word: &str) -> Option<&'static Self> {
        let is_it = |one: &&Self| one.code.eq_ignore_ascii_case(word) || one.names.contains(&word);
        REMOVED.iter().find(is_it)
    }

    /// The name that the rule has now or had last.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or(self.code)
    }

    /// What became of a removed rule, as one line.
    pub fn note(&self) -> String {
        let Self { code, since, why, .. } = self;
        let name = self.name();
        let instead =
            self.successor.map_or_else(String::new, |rule| format!("; use `{rule}` instead"));
        format!("the rule `{name}` ({code}) was removed in version {since}: {why}{instead}")
    }
}

impl Rule {
    /// Why the rule is deprecated, if it is.
    pub fn deprecation(&self) -> Option<&'static Retired> {
        DEPRECATED.iter().find(|one| one.code == self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::{DEPRECATED, REMOVED, Retired};
    use crate::rules::Rule;

    #[test]
    fn retired_rules_have_successors_that_exist() {
        for retired in DEPRECATED.iter().chain(REMOVED) {
            let successor = retired.successor.map(|name| Rule::find(name).map(|rule| rule.name));
            assert_eq!(successor.flatten(), retired.successor, "{}", retired.code);
        }
        for retired in DEPRECATED {
            let names = Rule::find(retired.code).map(|rule| rule.name);
            assert_eq!(names, Some(retired.name()), "a deprecated rule still exists");
        }
    }

    #[test]
    fn a_removed_rule_is_known_by_its_code_and_its_names() {
        for word in ["EP000", "ep000", "removed-example", "older-example"] {
            assert_eq!(Retired::removed(word).map(Retired::name), Some("removed-example"));
        }
        assert!(Retired::removed("vague-url").is_none());
    }
}
