//! Which part of a channel to draw.

use std::collections::BTreeSet;

use petgraph::graph::NodeIndex;

use super::picture::UpdateKind;

/// Which part of a channel to draw.
#[derive(Clone, Debug, Default)]
pub struct PictureRequest {
    /// Draw only this release and its direct origins and targets.
    pub around: Option<NodeIndex>,
    /// Draw only these updates.
    pub only: UpdateFilter,
    /// Draw blocked updates, too.
    pub blocked: bool,
}

/// Which updates to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum UpdateFilter {
    /// Every update.
    #[default]
    All,
    /// Conditional updates.
    Conditional,
    /// Updates from one of these releases, which are stranded. The releases are drawn in any case.
    FromStranded(BTreeSet<NodeIndex>),
}

impl PictureRequest {
    /// Whether the request names a release.
    pub(super) fn names(&self, node: NodeIndex) -> bool {
        let is_among = match &self.only {
            UpdateFilter::FromStranded(releases) => releases.contains(&node),
            UpdateFilter::All | UpdateFilter::Conditional => false,
        };
        is_among || self.around == Some(node)
    }

    /// Whether to draw an update.
    pub(super) fn includes(&self, kind: UpdateKind, from: NodeIndex, to: NodeIndex) -> bool {
        let is_near = self.around.is_none_or(|center| from == center || to == center);
        let passes = match &self.only {
            UpdateFilter::All => true,
            UpdateFilter::Conditional => kind == UpdateKind::Conditional,
            UpdateFilter::FromStranded(releases) => releases.contains(&from),
        };
        is_near && passes && (self.blocked || kind != UpdateKind::Blocked)
    }
}
