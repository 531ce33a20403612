//! What is predicted for one architecture.

use std::ops::Range;

use crate::graph_data::ReleaseId;

/// The predicted updates to some releases, for one architecture or for several with the same
/// ranges.
#[derive(Debug, Default)]
pub(super) struct Prediction {
    /// The targets, oldest first.
    pub(super) targets: Vec<PredictedTarget>,
    /// Updates that exist, certainly or probably: origin, target, and whether it is certain. The
    /// updates to each target are in order of origins.
    pub(super) updates: Vec<(ReleaseId, ReleaseId, bool)>,
    /// Updates that probably do not exist, but may. They are in the same order.
    pub(super) unlikely: Vec<(ReleaseId, ReleaseId)>,
}

/// Where the predicted updates to a target are.
#[derive(Debug)]
pub(super) struct PredictedTarget {
    pub(super) target: ReleaseId,
    pub(super) updates: Range<usize>,
    pub(super) unlikely: Range<usize>,
}
