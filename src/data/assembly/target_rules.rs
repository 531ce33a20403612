//! What is declared for the updates to one release.

use crate::graph::{DeclarationId, RiskId};

use super::pattern_matches::PatternId;

/// The patterns that decide about the updates to one release.
#[derive(Default)]
pub(super) struct TargetRules {
    /// Sorted by file name.
    pub(super) risks: Vec<DeclaredPattern>,
    /// The block. If there are several, the last one.
    pub(super) block: Option<DeclaredPattern>,
    /// The pattern in the release's own metadata.
    pub(super) metadata: Option<PatternId>,
    /// All patterns joined, if the joined pattern does not match the same as the patterns
    /// separately.
    pub(super) joined: Option<PatternId>,
}

#[derive(Clone, Copy)]
pub(super) struct DeclaredPattern {
    pub(super) declaration: DeclarationId,
    pub(super) pattern: PatternId,
    /// None for a block, or if the service does not support risks.
    pub(super) risk: Option<RiskId>,
    /// Whether the service serves the risk. A risk for one architecture removes the update for
    /// all of them, but is served only for that one.
    pub(super) is_served: bool,
}

impl TargetRules {
    /// The patterns in the order in which the service joins them.
    pub(super) fn in_order(&self) -> impl Iterator<Item = PatternId> {
        let block = self.block.iter().chain(&self.risks).map(|declared| declared.pattern);
        self.metadata.into_iter().chain(block)
    }

    /// All patterns to match, including the joined one.
    pub(super) fn patterns(&self) -> impl Iterator<Item = PatternId> {
        self.in_order().chain(self.joined)
    }
}
