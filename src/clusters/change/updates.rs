//! Compares the updates of two graphs.

use std::cmp::Ordering;

use petgraph::graph::Edge;

use crate::domain::{ArchSet, Arena, HashMap};
use crate::graph::{Edge as Weight, Knowledge, ReasonId, UpdateGraph};

use super::members::{ComparedChannelId, ComparedReleaseId, GraphMembers, Members, VersionId};
use super::seen::{Seen, SeenId, SeenTable};

/// An update that changes for clusters of some channels and architectures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlteredUpdate {
    pub fate: Fate,
    pub from: VersionId,
    pub to: VersionId,
    /// What clusters see before the change.
    pub before: SeenId,
    /// What clusters see after the change.
    pub after: SeenId,
    /// The channels in which it changes.
    pub channels: Vec<ComparedChannelId>,
    /// Whether there is no such update in these channels before or after the change.
    pub appears_or_vanishes: bool,
    /// Whether the update certainly exists.
    pub is_certain: bool,
    /// The architectures for which it changes.
    pub architectures: ArchSet,
}

/// What happens to an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// It is no longer offered to any cluster.
    Lost,
    /// It was unconditional, and has risks now.
    MadeConditional,
    /// Its risks change.
    RisksChanged,
    /// It had risks, and is unconditional now.
    MadeUnconditional,
    /// It is newly offered.
    Gained,
}

impl Fate {
    /// All values, worst first.
    pub const ALL: [Self; 5] = [
        Self::Lost,
        Self::MadeConditional,
        Self::RisksChanged,
        Self::MadeUnconditional,
        Self::Gained,
    ];

    fn between(before: &Seen, after: &Seen) -> Option<Self> {
        match (before, after) {
            _ if before == after => None,
            (Seen::Open, Seen::Conditional(_)) => Some(Self::MadeConditional),
            (Seen::Conditional(_), Seen::Open) => Some(Self::MadeUnconditional),
            (Seen::Conditional(_), Seen::Conditional(_)) => Some(Self::RisksChanged),
            _ => match (before.is_served(), after.is_served()) {
                (true, _) => Some(Self::Lost),
                (false, true) => Some(Self::Gained),
                (false, false) => None,
            },
        }
    }
}

/// An update of one of the two graphs, in sort order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ComparedUpdate {
    to: ComparedReleaseId,
    from: ComparedReleaseId,
    seen: SeenId,
    is_certain: bool,
}

/// All updates that change for some clusters, in order of target and origin.
pub(super) fn altered(
    before: &UpdateGraph,
    was: &Arena<ReasonId, SeenId>,
    after: &UpdateGraph,
    is: &Arena<ReasonId, SeenId>,
    members: &Members,
    table: &SeenTable,
) -> Vec<AlteredUpdate> {
    let mut found = AlteredUpdates { members, table, changes: HashMap::default() };
    let ends = |edge: &Edge<Weight>| (edge.source(), edge.target());
    let (old, new) = (before.graph.raw_edges(), after.graph.raw_edges());
    // Graphs that are made from the same lineage have the same updates in the same order.
    let are_alike = members.before.node == members.after.node
        && old.len() == new.len()
        && old.iter().zip(new).all(|(a, b)| ends(a) == ends(b));
    if are_alike {
        for (a, b) in old.iter().zip(new) {
            let (a, b) = (update(a, was, &members.before), update(b, is, &members.after));
            found.compare(a, Some(a.seen), Some(b.seen));
        }
    } else {
        let sorted = |edges: &[Edge<Weight>], of: &Arena<ReasonId, SeenId>, places| {
            let mut updates: Vec<ComparedUpdate> =
                edges.iter().map(|edge| update(edge, of, places)).collect();
            updates.sort_unstable();
            updates
        };
        found.compare_sorted(&sorted(old, was, &members.before), &sorted(new, is, &members.after));
    }
    found.into_list()
}

fn update(
    edge: &Edge<Weight>,
    of_reasons: &Arena<ReasonId, SeenId>,
    places: &GraphMembers,
) -> ComparedUpdate {
    ComparedUpdate {
        to: places.node[edge.target().index()],
        from: places.node[edge.source().index()],
        seen: of_reasons[edge.weight.reason],
        is_certain: edge.weight.knowledge != Knowledge::Uncertain,
    }
}

struct AlteredUpdates<'m> {
    members: &'m Members,
    table: &'m SeenTable,
    /// For each change: its architectures, and whether the update certainly exists.
    changes: HashMap<AlteredKey, (ArchSet, bool)>,
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct AlteredKey {
    to: VersionId,
    from: VersionId,
    fate: Fate,
    appears_or_vanishes: bool,
    before: SeenId,
    after: SeenId,
    channels: Vec<ComparedChannelId>,
}

impl AlteredUpdates<'_> {
    /// Compares two sorted lists: pairs updates with the same target and origin.
    fn compare_sorted(&mut self, old: &[ComparedUpdate], new: &[ComparedUpdate]) {
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        let ends = |update: &ComparedUpdate| (update.to, update.from);
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(was), Some(is)) => ends(was).cmp(&ends(is)),
            };
            let was = if order.is_le() { old.next() } else { None };
            let is = if order.is_ge() { new.next() } else { None };
            if let Some(update) = was.or(is) {
                self.compare(*update, was.map(|was| was.seen), is.map(|is| is.seen));
            }
        }
    }

    /// Compares an update that is in both graphs, or in one. `was` and `is` are None in a graph
    /// without it.
    fn compare(&mut self, update: ComparedUpdate, was: Option<SeenId>, is: Option<SeenId>) {
        let members = self.members;
        let (from, to) = (update.from, update.to);
        if was == is && !members.has_moved[from] && !members.has_moved[to] {
            return;
        }
        let channels = |places: &GraphMembers, seen: Option<SeenId>| match seen {
            None => Vec::new(),
            Some(_) => Members::common(places, from, to),
        };
        let (before, after) = (channels(&members.before, was), channels(&members.after, is));
        let mut all = [before.as_slice(), &after].concat();
        all.sort_unstable();
        all.dedup();
        let mut keys: Vec<AlteredKey> = Vec::new();
        for channel in all {
            let seen = |places: &[ComparedChannelId], seen: Option<SeenId>| match places
                .binary_search(&channel)
            {
                Ok(_) => seen.unwrap_or(SeenTable::nothing()),
                Err(_) => SeenTable::nothing(),
            };
            let (before, after) = (seen(&before, was), seen(&after, is));
            let Some(fate) = Fate::between(self.table.get(before), self.table.get(after)) else {
                continue;
            };
            match keys.iter_mut().find(|key| (key.before, key.after) == (before, after)) {
                Some(key) => key.channels.push(channel),
                None => keys.push(AlteredKey {
                    to: members.version_of[to],
                    from: members.version_of[from],
                    fate,
                    appears_or_vanishes: before == SeenTable::nothing()
                        || after == SeenTable::nothing(),
                    before,
                    after,
                    channels: vec![channel],
                }),
            }
        }
        let both = members.architectures[from].and(members.architectures[to]);
        for key in keys {
            let known = self.changes.entry(key).or_insert((ArchSet::default(), false));
            known.0 = known.0.or(both);
            known.1 |= update.is_certain;
        }
    }

    fn into_list(self) -> Vec<AlteredUpdate> {
        let mut list: Vec<(AlteredKey, (ArchSet, bool))> =
            self.changes.into_iter().filter(|(_, (some, _))| !some.is_empty()).collect();
        list.sort_unstable();
        let change =
            |(key, (architectures, is_certain)): (AlteredKey, (ArchSet, bool))| AlteredUpdate {
                fate: key.fate,
                from: key.from,
                to: key.to,
                before: key.before,
                after: key.after,
                channels: key.channels,
                appears_or_vanishes: key.appears_or_vanishes,
                is_certain,
                architectures,
            };
        list.into_iter().map(change).collect()
    }
}
