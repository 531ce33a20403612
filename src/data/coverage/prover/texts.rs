//! The texts that a label of a metric can have, in groups that no matcher can tell apart.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::promql::{self, MatchOp, Matcher};

/// The index of a group of texts.
pub(super) type TextGroup = usize;

/// The texts that a label of a metric can have.
#[derive(Debug)]
pub(super) struct Texts {
    /// The patterns that match infinitely many texts.
    endless: Vec<String>,
    groups: Vec<Content>,
}

#[derive(Debug)]
enum Content {
    /// One text. The empty text stands for a missing label.
    Exactly(Rc<str>),
    /// All other nonempty texts that match exactly these infinite patterns.
    Others(Vec<bool>),
}

/// The most texts and patterns for a label.
const MOST: usize = 200;
const MOST_PATTERNS: usize = 10;

impl Texts {
    /// The texts of a label with a list of values.
    pub(super) fn listed<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts: BTreeSet<&str> = texts.into_iter().collect();
        let groups = texts.into_iter().map(|text| Content::Exactly(text.into())).collect();
        Self { endless: Vec::new(), groups }
    }

    /// The texts of a label that can have any text. `matchers` are all matchers for the label, and
    /// each text in `known` gets its own group. None if there are too many groups.
    pub(super) fn any<'m>(
        matchers: impl Iterator<Item = &'m Matcher>,
        known: impl Iterator<Item = &'m str>,
        can_be_missing: bool,
    ) -> Option<Self> {
        let mut texts: BTreeSet<String> = known.map(str::to_owned).collect();
        let mut endless: BTreeSet<&str> = BTreeSet::new();
        for matcher in matchers {
            let text = matcher.value.value.as_str();
            match matcher.op {
                MatchOp::Equal | MatchOp::NotEqual => {
                    texts.insert(text.to_owned());
                }
                MatchOp::Regex | MatchOp::NotRegex => match promql::regex::values(text) {
                    Some(values) => texts.extend(values),
                    None => {
                        endless.insert(text);
                    }
                },
            }
        }
        texts.remove("");
        if can_be_missing {
            texts.insert(String::new());
        }
        if texts.len() > MOST || endless.len() > MOST_PATTERNS {
            return None;
        }
        let endless: Vec<&str> = endless.into_iter().collect();
        let together = promql::regex::together(&endless)?;
        let exact = texts.iter().map(|text| Content::Exactly(text.as_str().into()));
        let groups = exact.chain(together.into_iter().map(Content::Others)).collect();
        Some(Self { endless: endless.into_iter().map(str::to_owned).collect(), groups })
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The text of a group with only one text.
    pub(super) fn exact(&self, group: TextGroup) -> Option<&Rc<str>> {
        match &self.groups[group] {
            Content::Exactly(text) => Some(text),
            Content::Others(_) => None,
        }
    }

    /// Whether a matcher matches the texts of a group. None if the pattern is too large to tell.
    pub(super) fn admits(&self, matcher: &Matcher, group: TextGroup) -> Option<bool> {
        match &self.groups[group] {
            Content::Exactly(text) => matcher.admits(text, true).ok(),
            Content::Others(which) => Some(match matcher.op {
                MatchOp::Equal => false,
                MatchOp::NotEqual => true,
                MatchOp::Regex => self.is_matched(&matcher.value.value, which),
                MatchOp::NotRegex => !self.is_matched(&matcher.value.value, which),
            }),
        }
    }

    fn is_matched(&self, pattern: &str, which: &[bool]) -> bool {
        let endless = self.endless.iter().position(|known| known == pattern);
        endless.is_some_and(|at| which[at])
    }

    /// The group of a text. None if the label cannot have this text, or if it is not known.
    pub(super) fn group_of(&self, text: &str) -> Option<TextGroup> {
        let exact = (0..self.groups.len())
            .find(|group| self.exact(*group).is_some_and(|known| **known == *text));
        if exact.is_some() || text.is_empty() {
            return exact;
        }
        let matched = self.endless.iter().map(|pattern| promql::regex::matches(pattern, text));
        let matched: Vec<bool> = matched.collect::<Option<_>>()?;
        self.groups.iter().position(|group| matches!(group, Content::Others(m) if *m == matched))
    }
}
