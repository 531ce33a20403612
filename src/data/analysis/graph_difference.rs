//! What a simulation sees differently in another state of a repository.

use std::collections::BTreeSet;

use petgraph::graph::{Edge as GraphEdge, NodeIndex};

use crate::domain::{Arena, HashMap};
use crate::graph::{ChannelId, Edge, ReasonId, Release, UpdateGraph};

use super::risk_names::RiskNames;

/// What a simulation sees of a reason: the names of its risks, each with whether it affects all
/// clusters, and whether the update is blocked even without these risks. The names are None if no
/// cluster ever takes the update.
type Meaning<'g> = (Option<Vec<(&'g str, bool)>>, bool);

/// What differs between two graphs with the same channels.
#[derive(Debug)]
pub(crate) struct GraphDifference {
    /// The channels with other releases, or with updates that mean something else.
    pub channels: BTreeSet<ChannelId>,
    /// Whether both graphs have the same releases, in the same places, and list the same updates.
    pub has_same_updates: bool,
    /// The releases of both graphs that list other updates in the new graph.
    pub relisted: BTreeSet<NodeIndex>,
    /// Whether both graphs also have the same reasons and names of risks, with the same ids.
    pub has_same_reasons: bool,
}

/// A graph with what a comparison needs.
struct Side<'g> {
    graph: &'g UpdateGraph,
    meanings: Arena<ReasonId, usize>,
    /// The updates to each release.
    incoming: Vec<&'g [GraphEdge<Edge>]>,
}

impl GraphDifference {
    /// None if the graphs do not have the same channels.
    pub(crate) fn between(
        (before, old_names): (&UpdateGraph, &RiskNames),
        (after, new_names): (&UpdateGraph, &RiskNames),
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
        let mut difference = Self::of_sides(&old, &new);
        let reasons = |graph: &UpdateGraph| {
            graph.graph.raw_edges().iter().map(|edge| edge.weight.reason).collect::<Vec<_>>()
        };
        difference.has_same_reasons = difference.has_same_updates
            && old_names == new_names
            && before.reasons == after.reasons
            && reasons(before) == reasons(after);
        Some(difference)
    }

    /// The difference between graphs that differ only in the releases of some channels.
    pub(crate) fn of_channels(channels: BTreeSet<ChannelId>) -> Self {
        let relisted = BTreeSet::new();
        Self { channels, has_same_updates: true, relisted, has_same_reasons: true }
    }

    fn of_sides(old: &Side<'_>, new: &Side<'_>) -> Self {
        let new_place = places_in(new.graph, old.graph);
        let old_place = places_in(old.graph, new.graph);
        let in_place = old.graph.graph.node_indices().map(Some);
        let has_same_updates =
            new_place.len() == old_place.len() && in_place.eq(new_place.iter().copied());
        let (channels, relisted) = (BTreeSet::new(), BTreeSet::new());
        let mut difference = Self { channels, has_same_updates, relisted, has_same_reasons: false };
        let removed =
            old.graph.graph.node_indices().filter(|node| new_place[node.index()].is_none());
        for node in removed {
            difference.channels.extend(&old.graph.release(node).channels);
        }
        for node in new.graph.graph.node_indices() {
            let release = new.graph.release(node);
            let Some(old_node) = old_place[node.index()] else {
                difference.channels.extend(&release.channels);
                continue;
            };
            difference.compare_releases(old.graph.release(old_node), release);
            let (before, now) = (old.incoming[old_node.index()], new.incoming[node.index()]);
            let pairs = || before.iter().zip(now);
            let is_listed_alike = |(old, new): (&GraphEdge<Edge>, &GraphEdge<Edge>)| {
                new_place[old.source().index()] == Some(new.source())
                    && old.weight.knowledge == new.weight.knowledge
            };
            let are_listed_alike = before.len() == now.len() && pairs().all(is_listed_alike);
            if !are_listed_alike {
                difference.has_same_updates = false;
                difference.relisted.insert(node);
            }
            let mean_the_same = |(one, other): (&GraphEdge<Edge>, &GraphEdge<Edge>)| {
                old.meanings[one.weight.reason] == new.meanings[other.weight.reason]
            };
            if !are_listed_alike || !pairs().all(mean_the_same) {
                difference.channels.extend(&release.channels);
            }
        }
        difference.compare_unlikely(old.graph, new.graph, &new_place);
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
        let moved: BTreeSet<_> = moved.collect();
        let own: BTreeSet<_> = new.unlikely.iter().copied().collect();
        for (from, to) in moved.symmetric_difference(&own) {
            self.relisted.insert(*to);
            self.channels.extend(&new.release(*to).channels);
            self.channels.extend(&new.release(*from).channels);
        }
    }
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
        let mut incoming: Vec<&[GraphEdge<Edge>]> = vec![&[]; graph.graph.node_count()];
        for updates in graph.graph.raw_edges().chunk_by(|one, next| one.target() == next.target()) {
            let known = incoming.get_mut(updates.first()?.target().index())?;
            if !known.is_empty() {
                return None;
            }
            *known = updates;
        }
        Some(Self { graph, meanings: numbered(numbers, graph, names), incoming })
    }
}

/// The place in another graph of each release of a graph.
fn places_in(other: &UpdateGraph, graph: &UpdateGraph) -> Vec<Option<NodeIndex>> {
    let mut others = other.graph.node_indices().peekable();
    let mut places = Vec::with_capacity(graph.graph.node_count());
    let mut by_text: Option<HashMap<&str, NodeIndex>> = None;
    for release in graph.graph.node_weights() {
        // Both graphs sort their releases, so most follow each other in both.
        let next = others.peek().copied();
        if let Some(next) = next.filter(|next| other.release(*next).text == release.text) {
            others.next();
            places.push(Some(next));
            continue;
        }
        let by_text = by_text.get_or_insert_with(|| {
            let all = other.graph.node_indices();
            all.map(|node| (&*other.release(node).text, node)).collect()
        });
        let found = by_text.get(&*release.text).copied();
        if let Some(found) = found {
            others = other.graph.node_indices().peekable();
            others.nth(found.index());
        }
        places.push(found);
    }
    places
}

/// Reasons with the same meaning have the same number.
fn numbered<'g>(
    numbers: &mut HashMap<Meaning<'g>, usize>,
    graph: &UpdateGraph,
    names: &'g RiskNames,
) -> Arena<ReasonId, usize> {
    let reasons = graph.reasons.ids().map(|reason| {
        let risk = |id| (names.name(id), names.is_always(id));
        let risks = (!names.closes_for_all(reason))
            .then(|| names.risks(reason).iter().map(|id| risk(*id)).collect());
        let next = numbers.len();
        *numbers.entry((risks, names.hides_block(reason))).or_insert(next)
    });
    reasons.collect()
}
