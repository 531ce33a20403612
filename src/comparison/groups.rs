//! Changes that are alike, of which a report speaks once.

use std::collections::{BTreeMap, BTreeSet};

use super::{Altered, Comparison, Kind};

/// Updates to which the same happens for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What happens to them.
    pub kind: Kind,
    /// Why.
    pub cause: Cause,
    /// The changes, by their places.
    pub changes: Vec<usize>,
}

/// Why updates are otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Declarations: the names of risks that they have now and did not have, and of those that
    /// they had. Without any, a block or its end, or metadata.
    Declared {
        /// Risks that are there now.
        added: Vec<String>,
        /// Risks that were there.
        dropped: Vec<String>,
    },
    /// A release, by the place of its version, joins or leaves a channel.
    Moved(u32),
}

/// The groups: declared ones first, the worst first; then by the release that moves.
pub(super) fn groups(comparison: &Comparison) -> Vec<Group> {
    let moved: BTreeMap<u32, BTreeSet<u32>> = comparison
        .moves
        .iter()
        .map(|one| (one.release, one.joins.iter().chain(&one.leaves).copied().collect()))
        .collect();
    let mut groups: BTreeMap<(Cause, Kind), Vec<usize>> = BTreeMap::new();
    for (at, change) in comparison.altered.iter().enumerate() {
        let cause = if change.by_move { mover(change, &moved) } else { None };
        let cause = cause.unwrap_or_else(|| declared(comparison, change));
        groups.entry((cause, change.kind)).or_default().push(at);
    }
    let mut groups: Vec<Group> =
        groups.into_iter().map(|((cause, kind), changes)| Group { kind, cause, changes }).collect();
    groups.sort_by_key(|group| (matches!(group.cause, Cause::Moved(_)), group.kind));
    groups
}

/// The end of an update that has moved: the target, if both have.
fn mover(change: &Altered, moved: &BTreeMap<u32, BTreeSet<u32>>) -> Option<Cause> {
    let has_moved = |release: &u32| {
        moved
            .get(release)
            .is_some_and(|channels| change.channels.iter().all(|c| channels.contains(c)))
    };
    let some = |release: &u32| {
        moved
            .get(release)
            .is_some_and(|channels| change.channels.iter().any(|c| channels.contains(c)))
    };
    let ends = [change.to, change.from];
    ends.into_iter().find(has_moved).or_else(|| ends.into_iter().find(some)).map(Cause::Moved)
}

fn declared(comparison: &Comparison, change: &Altered) -> Cause {
    let before = comparison.seen[change.before as usize].risks();
    let after = comparison.seen[change.after as usize].risks();
    let without = |list: &[String], other: &[String]| -> Vec<String> {
        list.iter().filter(|name| !other.contains(name)).cloned().collect()
    };
    Cause::Declared { added: without(after, before), dropped: without(before, after) }
}
