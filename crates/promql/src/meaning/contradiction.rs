//! Whether two matchers of one label contradict each other.

use super::super::regex;
use super::super::syntax::{MatchOp, Matcher};

impl Matcher {
    /// Whether no value satisfies both matchers. False if it would cost too much to find out.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_refused_by(other) || other.is_refused_by(self) || self.is_opposite_of(other)
    }

    /// Whether the other matcher refuses every value that satisfies this one.
    fn is_refused_by(&self, other: &Self) -> bool {
        let Some(values) = self.only_values() else { return false };
        values.iter().all(|value| matches!(other.admits(value, true), Ok(false)))
    }

    fn is_opposite_of(&self, other: &Self) -> bool {
        matches!(
            (self.op, other.op),
            (MatchOp::Regex, MatchOp::NotRegex) | (MatchOp::NotRegex, MatchOp::Regex)
        ) && self.value.value == other.value.value
    }

    /// Every value that satisfies the matcher, if there are few.
    fn only_values(&self) -> Option<Vec<String>> {
        match self.op {
            MatchOp::Equal => Some(vec![self.value.value.clone()]),
            MatchOp::Regex => regex::values(&self.value.value),
            MatchOp::NotEqual | MatchOp::NotRegex => None,
        }
    }
}
