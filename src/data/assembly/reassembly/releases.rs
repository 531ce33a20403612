//! The graph after an edit of releases. Both states of the repository have the same declarations.

use std::sync::Arc;

use petgraph::Direction;
use petgraph::graph::{Edge as GraphEdge, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::analysis::{
    GraphDifference, NodePairs, OtherUpdates, ReasonPairs, ReasonsAfter, UpdatesByTarget, texts,
    updates_by_target,
};
use crate::domain::{Arena, Buckets, Version};
use crate::graph::{ChannelId, Edge, ReasonId, Release, ReleaseMetadata, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use super::super::channels::channels;
use super::super::declarations::LoadedDeclarations;
use super::super::edge_metadata::EdgeMetadata;
use super::super::incoming::incoming;
use super::super::pattern_matches::PatternMatches;
use super::super::reasons::ReasonFinder;
use super::super::release_index::ReleaseIndex;
use super::super::target_rules::TargetRules;
use super::super::{linked, node};
use super::NewIds;

/// The graph of another state of the repository, in which other releases exist or list other
/// updates, and how it differs from the graph before. The updates of both states are predicted.
/// None if the earlier graph cannot be changed into this one. The difference is None if channels
/// came or went.
pub(crate) fn reassemble(
    before: &UpdateGraph,
    data: &GraphData,
    lineage: &Lineage,
    consumer: Consumer,
) -> Option<(UpdateGraph, Option<GraphDifference>)> {
    let updates_before = updates_by_target(before)?;
    let releases = ReleaseIndex::new(&lineage.nodes);
    let versions: Vec<&str> = releases.texts.iter().map(String::as_str).collect();
    let pairs = NodePairs::between(&texts(before), &versions);
    let edge_metadata = EdgeMetadata::of(data, lineage, &releases);
    let incoming = incoming(lineage, &edge_metadata);
    let kept = Kept::of(before, &updates_before, &pairs, &incoming);
    let mut declarations = kept.declarations_of_others(data, lineage, consumer);
    let rules = declarations.rules(&releases, &edge_metadata);
    let asked = kept.others().map(|to| {
        let origins = incoming.get(to).iter().map(|update| update.from);
        (PatternMatches::mask(rules[to].patterns()), origins)
    });
    let patterns = &declarations.patterns;
    let matches = PatternMatches::of(patterns, &releases.texts, &data.patterns, asked);
    let mut finder = ReasonFinder::new(&edge_metadata, &matches);
    let (reasons, new_ids) = kept.reasons(&incoming, &rules, &mut finder);
    let (channels, member_of) = channels(data, &releases);
    let release = |(id, channels): (LineageNodeId, Vec<ChannelId>)| {
        let release = &lineage.nodes[id];
        let metadata = kept.metadata(id).unwrap_or_else(|| {
            let pattern = declarations.removal_pattern(&rules[id]);
            edge_metadata.metadata(id, release, pattern)
        });
        Release {
            version: release.version.clone(),
            text: versions[id.index()].into(),
            payload: release.payload.clone(),
            metadata,
            channels,
            is_abstract: false,
            has_known_origins: release.has_known_origins,
        }
    };
    let nodes = lineage.nodes.ids().zip(member_of).map(release).collect();
    let graph = UpdateGraph {
        channels,
        reasons: finder.reasons,
        risks: before.risks.clone(),
        declarations: before.declarations.clone(),
        ..linked(nodes, incoming.items(), reasons, lineage)
    };
    let has_same_channels = before.channels == graph.channels;
    let difference =
        has_same_channels.then(|| kept.difference_to(&graph, &updates_before, new_ids));
    Some((graph, difference))
}

/// What a graph keeps of the graph before.
struct Kept<'g> {
    before: &'g UpdateGraph,
    pairs: &'g NodePairs,
    /// For each release, the updates to it in the graph before, if it lists the same.
    updates: Arena<LineageNodeId, Option<&'g [GraphEdge<Edge>]>>,
}

impl<'g> Kept<'g> {
    fn of(
        before: &'g UpdateGraph,
        updates_before: &UpdatesByTarget<'g>,
        pairs: &'g NodePairs,
        incoming: &Buckets<LineageNodeId, ListedUpdate>,
    ) -> Self {
        let are_same = |(old, new): (&GraphEdge<Edge>, &ListedUpdate)| {
            pairs.after[old.source().index()] == Some(node(new.from))
                && old.weight.knowledge == new.knowledge
        };
        let updates = incoming.entries().map(|(to, updates)| {
            let known = updates_before[pairs.before[to.index()]?.index()];
            let lists_the_same =
                known.len() == updates.len() && known.iter().zip(updates).all(are_same);
            lists_the_same.then_some(known)
        });
        Self { before, pairs, updates: updates.collect() }
    }

    /// The releases that list other updates than before, and new releases.
    fn others(&self) -> impl Iterator<Item = LineageNodeId> {
        self.updates.entries().filter(|(_, updates)| updates.is_none()).map(|(to, _)| to)
    }

    /// What is declared for the updates to the others.
    fn declarations_of_others(
        &self,
        data: &GraphData,
        lineage: &Lineage,
        consumer: Consumer,
    ) -> LoadedDeclarations {
        let others: Vec<&Version> = self.others().map(|to| &lineage.nodes[to].version).collect();
        LoadedDeclarations::of_targets(data, consumer, self.before, |target| {
            others.iter().any(|other| is_build_of(target, other))
        })
    }

    /// The reason of each update, and the new ids of kept reasons.
    fn reasons(
        &self,
        incoming: &Buckets<LineageNodeId, ListedUpdate>,
        rules: &Arena<LineageNodeId, TargetRules>,
        finder: &mut ReasonFinder<'_>,
    ) -> (Vec<ReasonId>, NewIds) {
        let before = &self.before.reasons;
        let mut known: NewIds = Arena::filled(before.len(), None);
        let mut reasons = Vec::with_capacity(incoming.items().len());
        for (to, updates) in incoming.entries() {
            if let Some(kept) = self.updates[to] {
                let kept = kept.iter().map(|update| update.weight.reason);
                reasons.extend(kept.map(|reason| {
                    *known[reason].get_or_insert_with(|| finder.id(&before[reason]))
                }));
            } else {
                let mut target = finder.at_target(to, &rules[to]);
                reasons.extend(updates.iter().map(|update| target.reason_for(update.from)));
            }
        }
        for (id, before) in before.entries() {
            known[id] = known[id].or_else(|| finder.find(before));
        }
        (reasons, known)
    }

    /// The metadata of a release that both graphs have.
    fn metadata(&self, id: LineageNodeId) -> Option<Arc<ReleaseMetadata>> {
        let before = self.pairs.before[id.index()]?;
        Some(Arc::clone(&self.before.release(before).metadata))
    }

    fn difference_to(
        &self,
        after: &UpdateGraph,
        updates_before: &UpdatesByTarget<'_>,
        reasons: NewIds,
    ) -> GraphDifference {
        let updates_to = |was: NodeIndex, is: NodeIndex| {
            if self.updates[LineageNodeId::at(is.index())].is_some() {
                return None;
            }
            let was = updates_before[was.index()].iter().map(|update| {
                let origin = self.pairs.after[update.source().index()];
                (origin, update.weight.knowledge, reasons[update.weight.reason])
            });
            let is = after.graph.edges_directed(is, Direction::Incoming).map(|update| {
                (update.source(), update.weight().knowledge, Some(update.weight().reason))
            });
            OtherUpdates::between(was, is)
        };
        let difference = GraphDifference::of_releases(self.before, after, self.pairs, updates_to);
        let reasons = ReasonsAfter::Moved(ReasonPairs::of_reasons(reasons));
        GraphDifference { reasons, ..difference }
    }
}

/// Whether two versions differ only in the text after the `+`.
fn is_build_of(one: &Version, other: &Version) -> bool {
    let numbers = |version: &Version| (version.major, version.minor, version.patch);
    numbers(one) == numbers(other) && one.pre == other.pre
}
