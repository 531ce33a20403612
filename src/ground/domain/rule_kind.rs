//! The types of matching rules.

use super::Named;

/// A type of matching rule that clusters know. They skip rules of any other type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// Every cluster is affected.
    Always,
    /// A query says whether the cluster is affected.
    PromQl,
}

impl RuleKind {
    /// Whether clusters accept a rule of this type with this query.
    pub fn fits(self, query: Option<&str>) -> bool {
        match self {
            Self::Always => query.is_none(),
            Self::PromQl => query.is_some_and(|query| !query.is_empty()),
        }
    }
}

impl Named for RuleKind {
    const ALL: &'static [Self] = &[Self::Always, Self::PromQl];

    fn name(self) -> &'static str {
        match self {
            Self::Always => "Always",
            Self::PromQl => "PromQL",
        }
    }
}
