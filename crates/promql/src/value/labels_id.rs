//! Identifies a set of labels.

/// Identifies a set of labels in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LabelsId(pub(super) u32);

impl LabelsId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
