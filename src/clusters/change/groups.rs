//! Groups altered updates that a report shows as one entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{HashMap, HashSet};

use super::{AlteredUpdate, ComparedChannelId, Comparison, Fate, SeenId, VersionId};

/// Updates with the same change and the same cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateGroup<'c> {
    pub fate: Fate,
    pub blame: Blame,
    pub changes: Vec<&'c AlteredUpdate>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blame {
    /// Declarations. If both lists are empty, a block or metadata was added or removed.
    Declared {
        /// The names of risks that the update has only after the change.
        added: Vec<String>,
        /// The names of risks that the update has only before the change.
        dropped: Vec<String>,
    },
    Moved(VersionId),
}

/// The groups: first those caused by declarations, worst first, then those caused by releases that
/// join or leave channels.
pub(super) fn groups(comparison: &Comparison) -> Vec<UpdateGroup<'_>> {
    let moved: BTreeMap<VersionId, BTreeSet<ComparedChannelId>> = comparison
        .moves
        .iter()
        .map(|one| (one.release, one.joins.iter().chain(&one.leaves).copied().collect()))
        .collect();
    // There are many updates, but few distinct pairs of states.
    let mut declared: HashMap<(SeenId, SeenId), Blame> = HashMap::default();
    let mut groups: BTreeMap<(Blame, Fate), Vec<&AlteredUpdate>> = BTreeMap::new();
    for altered in &comparison.altered {
        let (before, after) = (altered.before, altered.after);
        let between = || between(comparison, before, after);
        let blame = mover(altered, &moved)
            .unwrap_or_else(|| declared.entry((before, after)).or_insert_with(between).clone());
        groups.entry((blame, altered.fate)).or_default().push(altered);
    }
    let group = |((blame, fate), changes)| UpdateGroup { fate, blame, changes };
    let mut groups: Vec<UpdateGroup<'_>> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|group| (matches!(group.blame, Blame::Moved(_)), group.fate));
    groups
}

/// The end of an update that joins or leaves channels, if that changes the update. If both ends do,
/// the target.
fn mover(
    altered: &AlteredUpdate,
    moved: &BTreeMap<VersionId, BTreeSet<ComparedChannelId>>,
) -> Option<Blame> {
    if !altered.appears_or_vanishes {
        return None;
    }
    let ends = [altered.to, altered.from];
    let channels_of = |end: &VersionId| moved.get(end);
    let everywhere = |channels: &BTreeSet<ComparedChannelId>| {
        altered.channels.iter().all(|channel| channels.contains(channel))
    };
    let somewhere = |channels: &BTreeSet<ComparedChannelId>| {
        altered.channels.iter().any(|channel| channels.contains(channel))
    };
    let end = ends.into_iter().find(|end| channels_of(end).is_some_and(everywhere));
    let end = end.or_else(|| ends.into_iter().find(|end| channels_of(end).is_some_and(somewhere)));
    end.map(Blame::Moved)
}

fn between(comparison: &Comparison, before: SeenId, after: SeenId) -> Blame {
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
