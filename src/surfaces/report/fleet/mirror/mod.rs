//! Which clusters get stuck with a mirror, and the smallest addition that unblocks them.

pub(super) mod human;
pub(super) mod json;
mod yaml;

use crate::mirror::{MirrorAnswer, MirrorOutlook};
use crate::mirrored::StuckOperators;

/// What a configuration mirrors, and what that means for clusters.
#[derive(Debug)]
pub(crate) struct FleetMirror<'f> {
    /// The configuration.
    pub name: String,
    /// The mirrored releases, oldest first, with their architectures.
    pub releases: Vec<String>,
    pub notes: Vec<String>,
    /// Whether the configuration names the image of one release.
    pub has_single_release: bool,
    pub outlook: MirrorOutlook,
    pub operators: StuckOperators<'f>,
}

impl FleetMirror<'_> {
    pub(super) fn is_stuck(&self, class: usize) -> bool {
        matches!(self.outlook.answers.get(class), Some(MirrorAnswer::Stuck { .. }))
    }

    pub(super) fn has_stuck(&self) -> bool {
        (0..self.outlook.answers.len()).any(|class| self.is_stuck(class))
    }

    /// Whether clusters or operators get stuck because of the mirror.
    pub(super) fn is_bad(&self) -> bool {
        self.has_stuck() || !self.operators.stuck.is_empty()
    }
}
