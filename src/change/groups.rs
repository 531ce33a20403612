//! Altered updates that are alike, of which a report speaks once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Altered, ComparedChannelId, Comparison, Fate, SeenId, VersionId};

/// Updates to which the same happens for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What happens to them.
    pub fate: Fate,
    /// Why.
    pub blame: Blame,
    /// The altered updates, by their places.
    pub changes: Vec<usize>,
}

/// Why updates are otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blame {
    /// Declarations: the names of risks that they have now and did not have, and of those that
    /// they had. Without any, a block or its end, or metadata.
    Declared {
        /// Risks that are there now.
        added: Vec<String>,
        /// Risks that were there.
        dropped: Vec<String>,
    },
    /// This release joins or leaves a channel.
    Moved(VersionId),
}

/// The groups: declared ones first, the worst first; then by the release that moves.
pub(super) fn groups(comparison: &Comparison) -> Vec<Group> {
    let moved: BTreeMap<VersionId, BTreeSet<ComparedChannelId>> = comparison
        .moves
        .iter()
        .map(|one| (one.release, one.joins.iter().chain(&one.leaves).copied().collect()))
        .collect();
    // Few states follow on one another in many updates.
    let mut declared: HashMap<(SeenId, SeenId), Blame> = HashMap::new();
    let mut groups: BTreeMap<(Blame, Fate), Vec<usize>> = BTreeMap::new();
    for (at, altered) in comparison.altered.iter().enumerate() {
        let states = (altered.before, altered.after);
        let blame = mover(altered, &moved).unwrap_or_else(|| {
            let blame = declared.entry(states).or_insert_with(|| between(comparison, states));
            blame.clone()
        });
        groups.entry((blame, altered.fate)).or_default().push(at);
    }
    let group = |((blame, fate), changes)| Group { fate, blame, changes };
    let mut groups: Vec<Group> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|group| (matches!(group.blame, Blame::Moved(_)), group.fate));
    groups
}

/// The end of an update that has moved, where that is what alters it: the target, if both have.
fn mover(
    altered: &Altered,
    moved: &BTreeMap<VersionId, BTreeSet<ComparedChannelId>>,
) -> Option<Blame> {
    if !altered.appears_or_vanishes {
        return None;
    }
    let has_moved = |release: &VersionId, everywhere: bool| {
        moved.get(release).is_some_and(|channels| {
            let is_one = |channel: &ComparedChannelId| channels.contains(channel);
            let mut own = altered.channels.iter();
            if everywhere { own.all(is_one) } else { own.any(is_one) }
        })
    };
    let ends = [altered.to, altered.from];
    let end = ends.into_iter().find(|end| has_moved(end, true));
    end.or_else(|| ends.into_iter().find(|end| has_moved(end, false))).map(Blame::Moved)
}

/// What declarations make of one state another.
fn between(comparison: &Comparison, (before, after): (SeenId, SeenId)) -> Blame {
    let risks = |id: SeenId| comparison.seen[id].risks();
    let without = |list: &[String], other: &[String]| -> Vec<String> {
        let other: HashSet<&String> = other.iter().collect();
        list.iter().filter(|name| !other.contains(name)).cloned().collect()
    };
    Blame::Declared {
        added: without(risks(after), risks(before)),
        dropped: without(risks(before), risks(after)),
    }
}
