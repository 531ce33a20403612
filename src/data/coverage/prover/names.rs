//! The labels that queries name, and sets of labels.

use std::collections::BTreeSet;

/// A label that a query names, by its index.
pub(super) type Label = usize;

/// The labels that queries name.
pub(super) struct Names(Vec<String>);

/// The most labels of a proof.
const MOST: usize = 60;

impl Names {
    /// None if there are too many names.
    pub(super) fn new(names: BTreeSet<String>) -> Option<Self> {
        (names.len() <= MOST).then(|| Self(names.into_iter().collect()))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Label, &str)> {
        self.0.iter().map(String::as_str).enumerate()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<Label> {
        self.0.binary_search_by(|known| known.as_str().cmp(name)).ok()
    }

    /// The set of these labels. If no query names one of them, all labels that no query names are
    /// in the set.
    pub(super) fn set<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> LabelSet {
        let bit = |name| self.find(name).map_or(LabelSet::REST, |label| 1 << label);
        LabelSet(names.into_iter().fold(0, |set, name| set | bit(name)))
    }
}

/// A set of labels. The labels that no query names are all in it, or none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LabelSet(u64);

impl LabelSet {
    const REST: u64 = 1 << 63;

    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(u64::MAX);

    pub(super) fn has(self, label: Label) -> bool {
        self.0 >> label & 1 != 0
    }

    pub(super) fn has_rest(self) -> bool {
        self.0 & Self::REST != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The complement: all other labels.
    pub(super) fn but(self) -> Self {
        Self(!self.0)
    }

    pub(super) fn with(self, label: Label) -> Self {
        Self(self.0 | 1 << label)
    }

    pub(super) fn is_in(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    pub(super) fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
