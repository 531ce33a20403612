//! Which updates a declaration matches. A pattern or a target can be for some architectures only.

use crate::domain::{Arch, ArchSet, Named};

use super::{BlockedEdge, GraphData, ReleaseId};

/// The updates from a release to the target of a declaration that the declaration matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matched {
    pub(crate) origin: ReleaseId,
    /// The architectures of these updates. Not empty.
    pub(crate) architectures: ArchSet,
}

impl GraphData {
    /// The updates that a declaration matches, in order of origins. Empty if its pattern or its
    /// target is unknown.
    pub(crate) fn matched(&self, edge: &BlockedEdge) -> Vec<Matched> {
        let target = edge.target.as_ref().and_then(|target| Arch::named(&target.build));
        let possible = target.map_or(ArchSet::EVERY, |arch| ArchSet::from_iter([arch]));
        let matched = self.reached(edge).unwrap_or_default().iter().map(|reached| Matched {
            origin: reached.release,
            architectures: reached.architectures.and(possible),
        });
        matched.filter(|matched| !matched.architectures.is_empty()).collect()
    }
}

impl Matched {
    /// The updates that are in two lists. Both are in order of origins.
    pub(crate) fn in_both(one: &[Self], other: &[Self]) -> Vec<Self> {
        let in_other = |Matched { origin, architectures }: &Self| {
            let place = other.binary_search_by_key(origin, |matched| matched.origin).ok()?;
            let architectures = architectures.and(other[place].architectures);
            (!architectures.is_empty()).then_some(Self { origin: *origin, architectures })
        };
        one.iter().filter_map(in_other).collect()
    }
}
