//! The number of a set of labels.

/// Names a set of labels of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LabelsId(pub(super) u32);

impl LabelsId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
