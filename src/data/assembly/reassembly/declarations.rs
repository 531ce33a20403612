//! The graph after an edit of declarations.

use std::collections::BTreeSet;

use petgraph::graph::Edge as GraphEdge;

use crate::analysis::{
    GraphDifference, ReasonPairs, ReasonsAfter, RiskNames, meaning, shared_channels,
};
use crate::domain::version::{Version, text_of};
use crate::domain::{Arena, HashMap};
use crate::graph::{ChannelId, DeclarationId, Edge, Reason, ReasonId, RiskId, State, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::{Lineage, LineageNodeId};

use super::super::declarations::{LoadedDeclarations, LoadedFile, loaded_files};
use super::super::edge_metadata::EdgeMetadata;
use super::super::node;
use super::super::pattern_matches::PatternMatches;
use super::super::reasons::ReasonFinder;
use super::super::release_index::ReleaseIndex;
use super::NewIds;

/// Gives a graph the declarations of another state of the repository, which lists the same updates
/// and has the same metadata. Returns how the graphs differ. None if this is not known.
pub(super) fn change_declarations(
    graph: &mut UpdateGraph,
    data_before: &GraphData,
    data: &GraphData,
    lineage: &Lineage,
    consumer: Consumer,
) -> Option<GraphDifference> {
    let releases = ReleaseIndex::new(&lineage.nodes);
    let edge_metadata = EdgeMetadata::of(data, lineage, &releases);
    let mut loaded = LoadedDeclarations::of(data, consumer);
    let rules = loaded.rules(&releases, &edge_metadata);
    let kept = Kept::of(graph, &loaded, data_before, data, consumer);
    let is_edited = kept.edited_targets(graph, &releases);
    let edited = updates_by_target(graph).filter(|(to, _)| is_edited[*to]);
    let asked = edited.map(|(to, updates)| {
        (PatternMatches::mask(rules[to].patterns()), updates.iter().map(origin))
    });
    let matches = PatternMatches::of(&loaded.patterns, &releases.texts, &data.patterns, asked);
    let mut finder = ReasonFinder::new(&edge_metadata, &matches);
    let mut new_ids: NewIds = Arena::filled(graph.reasons.len(), None);
    let mut reasons = Vec::with_capacity(graph.graph.edge_count());
    for (to, updates) in updates_by_target(graph) {
        if is_edited[to] {
            let mut target = finder.at_target(to, &rules[to]);
            reasons.extend(updates.iter().map(|update| target.reason_for(origin(update))));
        } else {
            reasons.extend(updates.iter().filter_map(|update| {
                let before = update.weight.reason;
                let reason = kept.reasons[before].as_ref()?;
                Some(*new_ids[before].get_or_insert_with(|| finder.id(reason)))
            }));
        }
    }
    let names_before = RiskNames::of(graph);
    let updates = graph.graph.edge_weights_mut().zip(reasons);
    let before =
        updates.map(|(update, reason)| std::mem::replace(&mut update.reason, reason)).collect();
    graph.reasons = finder.reasons;
    for (id, _) in is_edited.entries().filter(|(_, is_edited)| **is_edited) {
        let release = &lineage.nodes[id];
        let rules = (!release.is_abstract).then_some(&rules[id]);
        let pattern = rules.and_then(|rules| loaded.removal_pattern(rules));
        graph.graph[node(id)].metadata = edge_metadata.metadata(id, release, pattern);
    }
    graph.risks = loaded.risks;
    graph.declarations = loaded.declarations;
    ChangedReasons { names_before, before, new_ids }.difference(graph, &is_edited)
}

/// What an edit of declarations keeps.
struct Kept {
    /// Each reason of the graph before, with the ids after. None if one of its declarations is gone
    /// or edited.
    reasons: Arena<ReasonId, Option<Reason>>,
    /// The targets of declarations that are not in both states.
    targets_of_others: Vec<Version>,
}

impl Kept {
    fn of(
        before: &UpdateGraph,
        after: &LoadedDeclarations,
        data_before: &GraphData,
        data: &GraphData,
        consumer: Consumer,
    ) -> Self {
        let files = after.declarations.ids().zip(loaded_files(data, consumer));
        let mut files: HashMap<&str, (DeclarationId, LoadedFile<'_>)> =
            files.map(|(id, file)| (data.path(file.edge.file), (id, file))).collect();
        let is_same = |one: &LoadedFile<'_>, other: &LoadedFile<'_>| {
            let other_file = data.file(other.edge.file);
            one.meaning == other.meaning
                && data_before.file(one.edge.file).is_shared_with(Some(other_file))
        };
        let mut targets_of_others = Vec::new();
        let declarations = loaded_files(data_before, consumer).map(|file| {
            let path = data_before.path(file.edge.file);
            let same = files.get(path).filter(|(_, other)| is_same(&file, other));
            let same = same.map(|(id, _)| *id);
            match same {
                Some(_) => _ = files.remove(path),
                None => targets_of_others.push(file.version),
            }
            same
        });
        let declarations: Arena<DeclarationId, _> = declarations.collect();
        targets_of_others.extend(files.into_values().map(|(_, file)| file.version));
        let risks = before.risks.iter().map(|risk| after.risk_ids.get(risk).copied());
        let risks: Arena<RiskId, _> = risks.collect();
        let reasons = before.reasons.iter().map(|reason| {
            let Reason { state, declarations: of_reason, metadata_key } = reason;
            // Both states sort their files by path, so sorted ids stay sorted.
            let declarations = of_reason.iter().map(|id| declarations[*id]);
            let state = match state {
                State::Conditional(of_state) => {
                    let moved: Option<_> = of_state.iter().map(|id| risks[*id]).collect();
                    State::Conditional(moved?)
                }
                other => other.clone(),
            };
            let declarations = declarations.collect::<Option<_>>()?;
            Some(Reason { state, declarations, metadata_key: *metadata_key })
        });
        Self { reasons: reasons.collect(), targets_of_others }
    }

    /// For each release, whether something else is declared for the updates to it.
    fn edited_targets(
        &self,
        before: &UpdateGraph,
        releases: &ReleaseIndex<'_>,
    ) -> Arena<LineageNodeId, bool> {
        let mut is_edited = Arena::filled(releases.nodes.len(), false);
        for target in &self.targets_of_others {
            for id in releases.any_build(&text_of(target)) {
                is_edited[*id] = true;
            }
        }
        for (to, updates) in updates_by_target(before) {
            is_edited[to] |=
                updates.iter().any(|update| self.reasons[update.weight.reason].is_none());
        }
        is_edited
    }
}

/// What became of the reasons of a graph.
struct ChangedReasons {
    names_before: RiskNames,
    /// For each update, the reason before.
    before: Vec<ReasonId>,
    new_ids: NewIds,
}

impl ChangedReasons {
    fn difference(
        mut self,
        graph: &UpdateGraph,
        is_edited: &Arena<LineageNodeId, bool>,
    ) -> Option<GraphDifference> {
        let names = RiskNames::of(graph);
        if !names.affect_as_in(&self.names_before) {
            return None;
        }
        let mut channels: BTreeSet<ChannelId> = BTreeSet::new();
        let updates = graph.graph.raw_edges().iter().zip(&self.before);
        for (update, before) in updates.filter(|(update, _)| is_edited[target(update)]) {
            let (reason, new_id) = (update.weight.reason, &mut self.new_ids[*before]);
            if new_id.is_none() && meaning(&self.names_before, *before) == meaning(&names, reason) {
                *new_id = Some(reason);
            }
            if *new_id != Some(reason) {
                let [from, to] = [update.source(), update.target()];
                channels.extend(shared_channels(graph.release(from), graph.release(to)));
            }
        }
        let reasons = ReasonPairs::of(self.new_ids, &self.names_before, &names);
        let reasons = ReasonsAfter::Moved(reasons);
        Some(GraphDifference { reasons, ..GraphDifference::of_channels(channels) })
    }
}

/// The updates of a graph, for each release those to it.
fn updates_by_target(
    graph: &UpdateGraph,
) -> impl Iterator<Item = (LineageNodeId, &[GraphEdge<Edge>])> {
    let by_target = graph.graph.raw_edges().chunk_by(|one, next| one.target() == next.target());
    by_target.filter_map(|updates| Some((target(updates.first()?), updates)))
}

fn origin(update: &GraphEdge<Edge>) -> LineageNodeId {
    LineageNodeId::at(update.source().index())
}

fn target(update: &GraphEdge<Edge>) -> LineageNodeId {
    LineageNodeId::at(update.target().index())
}
