//! The texts that a label of a metric can have, in groups that no matcher tells apart.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::promql::{self, MatchOp, Matcher};

/// A group of texts, by its place.
pub(super) type Group = usize;

/// The texts of a label of a metric.
#[derive(Debug)]
pub(super) struct Texts {
    /// The patterns that match endlessly many texts.
    endless: Vec<String>,
    groups: Vec<Content>,
}

#[derive(Debug)]
enum Content {
    /// One text. The empty one stands for a label that is missing.
    Exactly(Rc<str>),
    /// Every other text, except the empty one, that matches just these of the endless patterns.
    Others(Vec<bool>),
}

/// The most texts and patterns of a label.
const MOST: usize = 200;
const MOST_PATTERNS: usize = 10;

impl Texts {
    /// The texts of a list.
    pub(super) fn listed<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts: BTreeSet<&str> = texts.into_iter().collect();
        let groups = texts.into_iter().map(|text| Content::Exactly(text.into())).collect();
        Self { endless: Vec::new(), groups }
    }

    /// Any text. The matchers are all those for the label, and `known` are further texts that are a
    /// group of their own. None: there are too many groups.
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
                MatchOp::Regex | MatchOp::NotRegex => match promql::values(text) {
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
        let together = promql::together(&endless)?;
        let exact = texts.iter().map(|text| Content::Exactly(text.as_str().into()));
        let groups = exact.chain(together.into_iter().map(Content::Others)).collect();
        Some(Self { endless: endless.into_iter().map(str::to_owned).collect(), groups })
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The only text of a group.
    pub(super) fn exact(&self, group: Group) -> Option<&Rc<str>> {
        match &self.groups[group] {
            Content::Exactly(text) => Some(text),
            Content::Others(_) => None,
        }
    }

    /// Whether a matcher takes the texts of a group. None: it is too large to say.
    pub(super) fn admits(&self, matcher: &Matcher, group: Group) -> Option<bool> {
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

    /// The group that a text is in. None: the label cannot have this text, or it is not known.
    pub(super) fn group_of(&self, text: &str) -> Option<Group> {
        let exact = (0..self.groups.len())
            .find(|group| self.exact(*group).is_some_and(|known| **known == *text));
        if exact.is_some() || text.is_empty() {
            return exact;
        }
        let matched = self.endless.iter().map(|pattern| promql::matches(pattern, text));
        let matched: Vec<bool> = matched.collect::<Option<_>>()?;
        self.groups.iter().position(|group| matches!(group, Content::Others(m) if *m == matched))
    }
}
