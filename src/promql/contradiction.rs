//! Matchers of one label that no value satisfies together.

use regex_syntax::hir::literal::{Extractor, Literal};

use super::ast::{MatchOp, Matcher};
use super::regex;

impl Matcher {
    /// Whether no value satisfies this matcher and another one. What would cost too much to tell
    /// counts as none.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_refused_by(other) || other.is_refused_by(self) || self.is_opposite_of(other)
    }

    /// Whether all that satisfies it is known, and the other has none of it.
    fn is_refused_by(&self, other: &Self) -> bool {
        let Some(values) = self.only_values() else { return false };
        values.iter().all(|value| other.admits(value) == Some(false))
    }

    fn is_opposite_of(&self, other: &Self) -> bool {
        matches!(
            (self.op, other.op),
            (MatchOp::Regex, MatchOp::NotRegex) | (MatchOp::NotRegex, MatchOp::Regex)
        ) && self.value.value == other.value.value
    }

    /// Every value that satisfies it, where these are few.
    fn only_values(&self) -> Option<Vec<String>> {
        match self.op {
            MatchOp::Equal => Some(vec![self.value.value.clone()]),
            MatchOp::Regex => {
                let literals = Extractor::new().extract(&regex::anchored(&self.value.value).ok()?);
                let literals = literals.literals()?;
                let text = |literal: &Literal| {
                    literal.is_exact().then(|| String::from_utf8_lossy(literal.as_bytes()).into())
                };
                literals.iter().map(text).collect()
            }
            MatchOp::NotEqual | MatchOp::NotRegex => None,
        }
    }

    /// Whether a value satisfies it.
    fn admits(&self, value: &str) -> Option<bool> {
        match self.op {
            MatchOp::Equal => Some(self.value.value == value),
            MatchOp::NotEqual => Some(self.value.value != value),
            MatchOp::Regex => regex::matches(&self.value.value, value),
            MatchOp::NotRegex => regex::matches(&self.value.value, value).map(|found| !found),
        }
    }
}
