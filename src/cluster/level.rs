//! Versions of the operator: what they do differently.

use crate::domain::Minor;

/// A version of the operator, by the minor version of its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Minor);

impl Level {
    /// The newest behavior that is known.
    pub const NEWEST: Self = Self(Minor { major: 5, minor: 0 });

    /// The operator of a minor version.
    pub fn of(minor: Minor) -> Self {
        Self(minor)
    }

    fn is_at_least(self, minor: u64) -> bool {
        self.0 >= Minor { major: 4, minor }
    }

    /// Whether it understands conditional updates.
    pub fn knows_conditions(self) -> bool {
        self.is_at_least(10)
    }

    /// Whether the message of a failed evaluation has three lines.
    pub(crate) fn has_long_failures(self) -> bool {
        self.is_at_least(14)
    }

    /// Whether reasons are checked and merged by rules.
    pub(crate) fn merges_reasons(self) -> bool {
        self.is_at_least(16)
    }

    /// Whether it can know accepted risks: with the feature gate `ClusterUpdateAcceptRisks`.
    pub fn can_accept_risks(self) -> bool {
        self.is_at_least(22)
    }

    /// Whether what blocks updates to other minor versions is a risk.
    pub(crate) fn has_risks_of_upgradeable(self) -> bool {
        self.is_at_least(23)
    }

    /// Whether a patch update is taken though some objects are not managed.
    pub(crate) fn takes_patches_with_overrides(self) -> bool {
        self.is_at_least(22)
    }

    /// Whether a risk is evaluated once by name, and not once for each target.
    pub(crate) fn evaluates_by_name(self) -> bool {
        self.is_at_least(22)
    }
}
