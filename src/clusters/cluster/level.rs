//! Versions of the operator, which behave differently.

use crate::domain::Minor;

/// A version of the operator: the minor version of its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Minor);

impl Level {
    /// The newest version whose behavior is known.
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

    /// Whether the message about a failed evaluation has three lines.
    pub(crate) fn has_long_failures(self) -> bool {
        self.is_at_least(14)
    }

    /// Whether reasons are validated and merged.
    pub(crate) fn merges_reasons(self) -> bool {
        self.is_at_least(16)
    }

    /// Whether it supports accepted risks, with the feature gate `ClusterUpdateAcceptRisks`.
    pub fn can_accept_risks(self) -> bool {
        self.is_at_least(22)
    }

    /// Whether it turns what blocks updates to other minor versions into risks.
    pub(crate) fn has_risks_of_upgradeable(self) -> bool {
        self.is_at_least(23)
    }

    /// Whether it accepts patch updates even if some objects are unmanaged.
    pub(crate) fn takes_patches_with_overrides(self) -> bool {
        self.is_at_least(22)
    }

    /// Whether it evaluates each risk once by name, and not once for each target.
    pub(crate) fn evaluates_by_name(self) -> bool {
        self.is_at_least(22)
    }
}
