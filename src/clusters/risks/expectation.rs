//! What tests expect of a risk.

use crate::domain::Named;

/// What a test expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expectation {
    Applies,
    NotApplies,
    Unknown,
}

impl Named for Expectation {
    const ALL: &'static [Self] = &[Self::Applies, Self::NotApplies, Self::Unknown];

    fn name(self) -> &'static str {
        match self {
            Self::Applies => "applies",
            Self::NotApplies => "not-applies",
            Self::Unknown => "unknown",
        }
    }
}
