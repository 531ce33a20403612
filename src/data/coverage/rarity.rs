//! How usual clusters are.

/// How usual something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rarity {
    /// Many clusters are like this.
    Common,
    /// Few clusters are like this.
    Rare,
    /// Clusters are like this only for a short time, for example while an operator is updated.
    Passing,
}

impl Rarity {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Rare => "rare",
            Self::Passing => "passing",
        }
    }

    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Common => "many clusters are like this",
            Self::Rare => "few clusters are like this",
            Self::Passing => "clusters are like this for a short time",
        }
    }
}
