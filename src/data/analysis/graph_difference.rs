//! What a simulation sees differently in another state of a repository.

use std::collections::BTreeSet;

use petgraph::graph::{Edge as GraphEdge, NodeIndex};

use crate::domain::{Arena, HashMap};
use crate::graph::{ChannelId, Edge, Knowledge, ReasonId, Release, UpdateGraph};

use super::node_pairs::NodePairs;
use super::reason_pairs::ReasonsAfter;
use super::risk_names::RiskNames;
use super::simulation::SimulatedChannel;

/// What a simulation sees of a reason: the names of its risks, each with whether it affects all
/// clusters, and whether the update is blocked even without these risks. The names are None if no
/// cluster ever takes the update.
type Meaning<'g> = (Option<Vec<(&'g str, bool)>>, bool);

/// What differs between two graphs.
#[derive(Debug)]
pub(crate) struct GraphDifference {
    /// The channels of the new graph with other releases, or with updates that mean something else.
    pub channels: BTreeSet<ChannelId>,
    /// The new id of each channel, if it is still there. None if all have the same ids.
    pub new_channels: Option<Arena<ChannelId, Option<ChannelId>>>,
    /// Whether both graphs have the same releases, in the same places, and list the same updates.
    pub has_same_updates: bool,
    /// The releases of both graphs that list other updates in the new graph.
    pub relisted: BTreeSet<NodeIndex>,
    /// The ids that the reasons of the old graph have in the new one.
    pub reasons: ReasonsAfter,
}

/// How the updates to a release differ. Both graphs have the release.
#[derive(Debug)]
pub(crate) struct OtherUpdates {
    /// The origins whose update is in one graph only, or means something else. Those that are not
    /// in the new graph are omitted.
    origins: Vec<NodeIndex>,
    /// Whether the graphs list different updates, or one update with different evidence
    /// ([`Knowledge`]).
    lists_others: bool,
}

impl OtherUpdates {
    /// Compares the updates to a release in both graphs. Each has its origin in the new graph, the
    /// evidence for it, and something that is equal if the meanings are. None if nothing differs.
    pub(crate) fn between<M: Copy + PartialEq>(
        before: impl Iterator<Item = (Option<NodeIndex>, Knowledge, M)>,
        after: impl Iterator<Item = (NodeIndex, Knowledge, M)>,
    ) -> Option<Self> {
        let (mut origins, mut lists_others) = (Vec::new(), false);
        let mut known: HashMap<NodeIndex, (Knowledge, M)> = HashMap::default();
        for (origin, knowledge, meaning) in before {
            match origin {
                Some(origin) => _ = known.insert(origin, (knowledge, meaning)),
                None => lists_others = true,
            }
        }
        for (origin, knowledge, meaning) in after {
            match known.remove(&origin) {
                Some(same) if same == (knowledge, meaning) => continue,
                Some((was, _)) => lists_others |= was != knowledge,
                None => lists_others = true,
            }
            origins.push(origin);
        }
        lists_others |= !known.is_empty();
        origins.extend(known.into_keys());
        (lists_others || !origins.is_empty()).then_some(Self { origins, lists_others })
    }
}

/// A graph with what a comparison needs.
struct Side<'g> {
    meanings: Arena<ReasonId, usize>,
    updates: UpdatesByTarget<'g>,
}

/// For each release of a graph, the updates to it.
pub(crate) type UpdatesByTarget<'g> = Vec<&'g [GraphEdge<Edge>]>;

/// None if the updates to a release are not listed together.
pub(crate) fn updates_by_target(graph: &UpdateGraph) -> Option<UpdatesByTarget<'_>> {
    let mut by_target: UpdatesByTarget<'_> = vec![&[]; graph.graph.node_count()];
    for updates in graph.graph.raw_edges().chunk_by(|one, next| one.target() == next.target()) {
        let known = by_target.get_mut(updates.first()?.target().index())?;
        if !known.is_empty() {
            return None;
        }
        *known = updates;
    }
    Some(by_target)
}

impl GraphDifference {
    /// None if the graphs do not have the same channels.
    pub(crate) fn between(
        before: &UpdateGraph,
        old_names: &RiskNames,
        after: &UpdateGraph,
        new_names: &RiskNames,
    ) -> Option<Self> {
        let (doubles, dangling) = (&before.doubles, &before.dangling);
        if before.channels != after.channels
            || (doubles, dangling) != (&after.doubles, &after.dangling)
        {
            return None;
        }
        let mut numbers = HashMap::default();
        let old = Side::of(before, old_names, &mut numbers)?;
        let new = Side::of(after, new_names, &mut numbers)?;
        let pairs = NodePairs::between(&texts(before), &texts(after));
        let updates_to = |was: NodeIndex, is: NodeIndex| {
            let (was, is) = (old.updates[was.index()], new.updates[is.index()]);
            let are_same = |(one, other): (&GraphEdge<Edge>, &GraphEdge<Edge>)| {
                pairs.after[one.source().index()] == Some(other.source())
                    && one.weight.knowledge == other.weight.knowledge
                    && old.meanings[one.weight.reason] == new.meanings[other.weight.reason]
            };
            if was.len() == is.len() && was.iter().zip(is).all(are_same) {
                return None;
            }
            let was = was.iter().map(|update| {
                let origin = pairs.after[update.source().index()];
                (origin, update.weight.knowledge, old.meanings[update.weight.reason])
            });
            let is = is.iter().map(|update| {
                (update.source(), update.weight.knowledge, new.meanings[update.weight.reason])
            });
            OtherUpdates::between(was, is)
        };
        let mut difference = Self::of_releases(before, after, &pairs, updates_to);
        let reasons = |graph: &UpdateGraph| {
            graph.graph.raw_edges().iter().map(|edge| edge.weight.reason).collect::<Vec<_>>()
        };
        let has_same_reasons = difference.has_same_updates
            && old_names == new_names
            && before.reasons == after.reasons
            && reasons(before) == reasons(after);
        if has_same_reasons {
            difference.reasons = ReasonsAfter::Same;
        }
        Some(difference)
    }

    /// The difference between graphs that differ only in the releases of some channels.
    pub(crate) fn of_channels(channels: BTreeSet<ChannelId>) -> Self {
        Self { channels, ..Self::none() }
    }

    pub(crate) fn none() -> Self {
        Self {
            channels: BTreeSet::new(),
            new_channels: None,
            has_same_updates: true,
            relisted: BTreeSet::new(),
            reasons: ReasonsAfter::Same,
        }
    }

    /// The difference after another edit, of declarations only.
    pub(crate) fn and_then(mut self, declarations: Self) -> Self {
        self.channels.extend(declarations.channels);
        Self { reasons: declarations.reasons, ..self }
    }

    /// What is known of a channel after the edit, from its results before it. None if it must be
    /// simulated again.
    pub(crate) fn known_after(
        &self,
        channel: ChannelId,
        results: &[SimulatedChannel],
    ) -> Option<(ChannelId, Vec<SimulatedChannel>)> {
        let after = match &self.new_channels {
            // All channels share a budget. With more channels, each gets less of it, so other sets
            // can be missing from an incomplete result.
            Some(_) if results.iter().any(|result| result.is_incomplete) => return None,
            Some(new_channels) => new_channels[channel]?,
            None => channel,
        };
        let results = results
            .iter()
            .map(|result| Some(SimulatedChannel { channel: after, ..self.reasons.moved(result)? }));
        let is_same = !self.channels.contains(&after);
        is_same.then(|| results.collect::<Option<_>>()).flatten().map(|results| (after, results))
    }

    /// Compares the releases of two graphs. `updates_to` compares the updates to a release, by its
    /// places in both graphs. The result does not know the new ids of reasons.
    pub(crate) fn of_releases(
        before: &UpdateGraph,
        after: &UpdateGraph,
        pairs: &NodePairs,
        updates_to: impl Fn(NodeIndex, NodeIndex) -> Option<OtherUpdates>,
    ) -> Self {
        let has_same_updates = pairs.are_in_place();
        let reasons = ReasonsAfter::Unknown;
        let mut difference = Self { has_same_updates, reasons, ..Self::none() };
        let nodes = before.graph.node_indices();
        for gone in nodes.filter(|node| pairs.after[node.index()].is_none()) {
            difference.channels.extend(&before.release(gone).channels);
        }
        for node in after.graph.node_indices() {
            let release = after.release(node);
            let Some(old_node) = pairs.before[node.index()] else {
                difference.channels.extend(&release.channels);
                continue;
            };
            difference.compare_releases(before.release(old_node), release);
            let Some(updates) = updates_to(old_node, node) else { continue };
            if updates.lists_others {
                difference.has_same_updates = false;
                difference.relisted.insert(node);
            }
            // An update is only in the channels of both of its releases.
            for origin in &updates.origins {
                difference.channels.extend(shared_channels(after.release(*origin), release));
            }
        }
        difference.compare_unlikely(before, after, &pairs.after);
        difference
    }

    fn compare_releases(&mut self, old: &Release, new: &Release) {
        let is_same_release =
            old.is_abstract == new.is_abstract && old.has_known_origins == new.has_known_origins;
        if is_same_release {
            self.channels.extend(channels_not_in_both(&old.channels, &new.channels));
        } else {
            self.channels.extend(old.channels.iter().chain(&new.channels));
        }
    }

    fn compare_unlikely(
        &mut self,
        old: &UpdateGraph,
        new: &UpdateGraph,
        new_place: &[Option<NodeIndex>],
    ) {
        self.has_same_updates &= old.unlikely == new.unlikely;
        if self.has_same_updates {
            return;
        }
        // The channels of releases that are not in both graphs are known to differ.
        let moved = old.unlikely.iter();
        let moved =
            moved.filter_map(|(from, to)| new_place[from.index()].zip(new_place[to.index()]));
        let mut moved: Vec<(NodeIndex, NodeIndex)> = moved.collect();
        moved.sort_unstable();
        for (from, to) in missing_in(&moved, &new.unlikely).chain(missing_in(&new.unlikely, &moved))
        {
            self.relisted.insert(*to);
            let (from, to) = (new.release(*from), new.release(*to));
            self.channels.extend(shared_channels(from, to));
        }
    }
}

pub(crate) fn shared_channels(one: &Release, other: &Release) -> impl Iterator<Item = ChannelId> {
    one.channels.iter().copied().filter(|channel| other.is_in(*channel))
}

/// The items of a sorted list that another sorted list lacks.
fn missing_in<'l, T: Ord>(list: &'l [T], other: &'l [T]) -> impl Iterator<Item = &'l T> {
    let mut others = other.iter().peekable();
    list.iter().filter(move |item| {
        while others.next_if(|other| other < item).is_some() {}
        others.peek() != Some(item)
    })
}

/// The channels of a release in one state that it does not have in another. A channel with two
/// files is listed twice.
pub(crate) fn channels_not_in_both<'c>(
    old: &'c [ChannelId],
    new: &'c [ChannelId],
) -> impl Iterator<Item = ChannelId> {
    let count = |all: &[ChannelId], one| all.iter().filter(|other| **other == one).count();
    let all = old.iter().chain(new).copied().filter(move |_| old != new);
    all.filter(move |one| count(old, *one) != count(new, *one))
}

impl<'g> Side<'g> {
    /// None if the updates to a release are not listed together.
    fn of(
        graph: &'g UpdateGraph,
        names: &'g RiskNames,
        numbers: &mut HashMap<Meaning<'g>, usize>,
    ) -> Option<Self> {
        let updates = updates_by_target(graph)?;
        Some(Self { meanings: numbered(numbers, graph, names), updates })
    }
}

/// The versions of a graph's releases.
pub(crate) fn texts(graph: &UpdateGraph) -> Vec<&str> {
    graph.graph.node_weights().map(|release| &*release.text).collect()
}

/// Reasons with the same meaning have the same number.
fn numbered<'g>(
    numbers: &mut HashMap<Meaning<'g>, usize>,
    graph: &UpdateGraph,
    names: &'g RiskNames,
) -> Arena<ReasonId, usize> {
    let reasons = graph.reasons.ids().map(|reason| {
        let next = numbers.len();
        *numbers.entry(meaning(names, reason)).or_insert(next)
    });
    reasons.collect()
}

pub(crate) fn meaning(names: &RiskNames, reason: ReasonId) -> Meaning<'_> {
    let risk = |id| (names.name(id), names.is_always(id));
    let risks = (!names.closes_for_all(reason))
        .then(|| names.risks(reason).iter().map(|id| risk(*id)).collect());
    (risks, names.hides_block(reason))
}
