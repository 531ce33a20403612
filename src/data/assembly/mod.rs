//! Assembles the graph that clusters receive, from the updates that releases list and the
//! declarations of the repository.
//!
//! It works in the order of the update service: metadata, blocks, risks, channels, updates. An
//! update with risks is conditional even if a block matches it, too. If the result of the service
//! depends on the order of files on its disk, this uses the order of their names.

mod channels;
mod declarations;
mod draft;
mod edge_metadata;
mod incoming;
mod pattern_matches;
mod reasons;
#[cfg(feature = "lsp")]
mod reassembly;
mod release_index;
mod target_rules;

#[cfg(feature = "lsp")]
pub(crate) use reassembly::{edit_graph, reassemble};

use petgraph::graph::{DiGraph, NodeIndex};

use crate::domain::{Arena, Buckets};
use crate::graph::{ChannelId, Edge, ReasonId, Release, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use channels::channels;
use declarations::LoadedDeclarations;
use edge_metadata::EdgeMetadata;
use incoming::incoming;
use pattern_matches::{PatternMask, PatternMatches};
use reasons::ReasonFinder;
use release_index::ReleaseIndex;
use target_rules::TargetRules;

/// The graph that clusters receive once the repository is merged.
pub fn assemble(data: &GraphData, lineage: &Lineage, consumer: Consumer) -> UpdateGraph {
    let releases = ReleaseIndex::new(&lineage.nodes);
    let declarations = LoadedDeclarations::of(data, consumer);
    let prepared = Prepared::of(data, lineage, &releases, declarations);
    let patterns = &prepared.declarations.patterns;
    let matches = PatternMatches::of(patterns, &releases.texts, &data.patterns, prepared.asked());
    prepared.graph(data, lineage, &releases, &matches)
}

/// The graphs of two states of a repository.
#[derive(Debug)]
pub(crate) struct BothGraphs {
    pub(crate) before: UpdateGraph,
    pub(crate) after: UpdateGraph,
}

/// The graphs of two states of a repository in which releases list the same updates. Does the
/// common work once.
pub(crate) fn assemble_both(
    before: &GraphData,
    after: &GraphData,
    lineage: &Lineage,
    consumer: Consumer,
) -> BothGraphs {
    let releases = ReleaseIndex::new(&lineage.nodes);
    let declarations = LoadedDeclarations::of(after, consumer);
    let prepared_after = Prepared::of(after, lineage, &releases, declarations);
    let declarations =
        LoadedDeclarations::of_other_state(&prepared_after.declarations, before, consumer);
    let prepared_before = Prepared::of(before, lineage, &releases, declarations);
    // The patterns of the state before begin with those of the state after, so all of them fit one
    // list.
    let patterns = &prepared_before.declarations.patterns;
    let asked = prepared_before.asked().chain(prepared_after.asked());
    let matches = PatternMatches::of(patterns, &releases.texts, &after.patterns, asked);
    let (before, after) = rayon::join(
        || prepared_before.graph(before, lineage, &releases, &matches),
        || prepared_after.graph(after, lineage, &releases, &matches),
    );
    BothGraphs { before, after }
}

/// What is declared for each release, before any pattern is matched.
struct Prepared {
    declarations: LoadedDeclarations,
    edge_metadata: EdgeMetadata,
    rules: Arena<LineageNodeId, TargetRules>,
    incoming: Buckets<LineageNodeId, ListedUpdate>,
}

impl Prepared {
    fn of(
        data: &GraphData,
        lineage: &Lineage,
        releases: &ReleaseIndex<'_>,
        mut declarations: LoadedDeclarations,
    ) -> Self {
        let edge_metadata = EdgeMetadata::of(data, lineage, releases);
        let rules = declarations.rules(releases, &edge_metadata);
        let incoming = incoming(lineage, &edge_metadata);
        Self { declarations, edge_metadata, rules, incoming }
    }

    /// For each target, the patterns to test and the origins to test them on.
    fn asked(&self) -> impl Iterator<Item = (PatternMask, impl Iterator<Item = LineageNodeId>)> {
        self.rules.entries().map(|(to, rules)| {
            let origins = self.incoming.get(to).iter().map(|update| update.from);
            (PatternMatches::mask(rules.patterns()), origins)
        })
    }

    fn graph(
        self,
        data: &GraphData,
        lineage: &Lineage,
        releases: &ReleaseIndex<'_>,
        matches: &PatternMatches,
    ) -> UpdateGraph {
        let Self { declarations, edge_metadata, rules, incoming } = self;
        let (channels, member_of) = channels(data, releases);
        let release = |(id, channels): (LineageNodeId, Vec<ChannelId>)| {
            let node = &lineage.nodes[id];
            let rules = (!node.is_abstract).then_some(&rules[id]);
            let removal_pattern = rules.and_then(|rules| declarations.removal_pattern(rules));
            Release {
                version: node.version.clone(),
                text: releases.texts[id].as_str().into(),
                payload: node.payload.clone(),
                metadata: edge_metadata.metadata(id, node, removal_pattern),
                channels: if node.is_abstract { Vec::new() } else { channels },
                is_abstract: node.is_abstract,
                has_known_origins: node.has_known_origins,
            }
        };
        let mut finder = ReasonFinder::new(&edge_metadata, matches);
        let mut reasons = Vec::with_capacity(incoming.items().len());
        let (nodes, ()) = rayon::join(
            || lineage.nodes.ids().zip(member_of).map(release).collect::<Vec<_>>(),
            || {
                for (to, rules) in rules.entries() {
                    let mut target = finder.at_target(to, rules);
                    let updates = incoming.get(to).iter();
                    reasons.extend(updates.map(|update| target.reason_for(update.from)));
                }
            },
        );
        UpdateGraph {
            channels,
            reasons: finder.reasons,
            risks: declarations.risks,
            declarations: declarations.declarations,
            ..linked(nodes, incoming.items(), reasons, lineage)
        }
    }
}

/// A graph with releases and the updates between them, each with its reason, and nothing else.
fn linked(
    releases: Vec<Release>,
    updates: &[ListedUpdate],
    reasons: Vec<ReasonId>,
    lineage: &Lineage,
) -> UpdateGraph {
    let mut graph = DiGraph::with_capacity(releases.len(), updates.len());
    for release in releases {
        graph.add_node(release);
    }
    for (update, reason) in updates.iter().zip(reasons) {
        let edge = Edge { reason, knowledge: update.knowledge };
        graph.add_edge(node(update.from), node(update.to), edge);
    }
    let unlikely = lineage.unlikely.iter();
    let mut unlikely: Vec<(NodeIndex, NodeIndex)> =
        unlikely.map(|(from, to)| (node(*from), node(*to))).collect();
    unlikely.sort_unstable();
    UpdateGraph { graph, unlikely, ..UpdateGraph::default() }
}

/// The place of a release in the graph.
fn node(release: LineageNodeId) -> NodeIndex {
    NodeIndex::new(release.index())
}
