//! Whether a risk affects a cluster.

use crate::domain::Named;

/// Whether a risk affects a cluster, as the input says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RiskAnswer {
    Yes,
    No,
    /// The cluster cannot tell.
    Unknown,
}

impl Named for RiskAnswer {
    const ALL: &'static [Self] = &[Self::Yes, Self::No, Self::Unknown];

    fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl RiskAnswer {
    /// A query that has this answer on every cluster.
    pub(super) fn query(self) -> &'static str {
        match self {
            Self::Yes => "vector(1)",
            Self::No => "vector(0)",
            Self::Unknown => "vector(0) > 1",
        }
    }
}

/// A risk that keeps updates from being recommended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RiskCount {
    pub name: String,
    /// Whether the clusters cannot tell if it affects them.
    pub is_unknown: bool,
}
