//! The graph after an edit, made from the graph before it. Both states of the repository have the
//! same declarations.

use std::collections::BTreeSet;
use std::sync::Arc;

use petgraph::graph::{Edge as GraphEdge, NodeIndex};

use crate::analysis::{
    GraphDifference, NodePairs, UpdatesByTarget, UpdatesTo, channels_not_in_both, texts,
    updates_by_target,
};
use crate::domain::{Arena, Buckets, Version};
use crate::graph::{ChannelId, Edge, ReasonId, Release, ReleaseMetadata, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::{Lineage, LineageNodeId, ListedUpdate};

use super::channels::channels;
use super::declarations::{LoadedDeclarations, target};
use super::edge_metadata::EdgeMetadata;
use super::incoming::incoming;
use super::pattern_matches::PatternMatches;
use super::reasons::ReasonFinder;
use super::release_index::ReleaseIndex;
use super::target_rules::TargetRules;
use super::{linked, node};

/// Gives a graph the channels of another state of the repository, which differs in its channels
/// only. Returns the channels whose releases change. None if the list of channels itself changes.
pub(crate) fn change_channels(
    graph: &mut UpdateGraph,
    data: &GraphData,
    lineage: &Lineage,
) -> Option<BTreeSet<ChannelId>> {
    let (channels, member_of) = channels(data, &ReleaseIndex::new(&lineage.nodes));
    let mut changed = BTreeSet::new();
    for (release, channels) in graph.graph.node_weights_mut().zip(member_of) {
        let channels = if release.is_abstract { Vec::new() } else { channels };
        changed.extend(channels_not_in_both(&release.channels, &channels));
        release.channels = channels;
    }
    let has_same_channels = graph.channels == channels;
    graph.channels = channels;
    has_same_channels.then_some(changed)
}

/// The graph of another state of the repository, in which other releases exist or list other
/// updates, and how it differs from the graph before. The updates of both states are predicted.
/// None if the graph before cannot be used. There is no difference if the list of channels changes.
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
    let mut declarations = if kept.has_other_targets(data, lineage) {
        LoadedDeclarations::of(data, consumer)
    } else {
        LoadedDeclarations::default()
    };
    let rules = declarations.rules(&releases, &edge_metadata);
    let asked = kept.others().map(|to| {
        let origins = incoming.get(to).iter().map(|update| update.from);
        (PatternMatches::mask(rules[to].patterns()), origins)
    });
    let patterns = &declarations.patterns;
    let matches = PatternMatches::of(patterns, &releases.texts, &data.patterns, asked);
    let mut finder = ReasonFinder::new(&declarations, &edge_metadata, &matches);
    let reasons = kept.reasons(&incoming, &rules, &mut finder);
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
    let difference = has_same_channels.then(|| kept.difference_to(&graph));
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

    /// Whether something is declared for the updates to one of the others.
    fn has_other_targets(&self, data: &GraphData, lineage: &Lineage) -> bool {
        let others: Vec<&Version> = self.others().map(|to| &lineage.nodes[to].version).collect();
        let mut targets = data.blocked_edges.iter().filter_map(target);
        targets.any(|target| others.iter().any(|other| is_build_of(&target, other)))
    }

    /// The reason of each update.
    fn reasons(
        &self,
        incoming: &Buckets<LineageNodeId, ListedUpdate>,
        rules: &Arena<LineageNodeId, TargetRules>,
        finder: &mut ReasonFinder<'_>,
    ) -> Vec<ReasonId> {
        let before = &self.before.reasons;
        let mut known: Arena<ReasonId, Option<ReasonId>> = Arena::filled(before.len(), None);
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
        reasons
    }

    /// The metadata of a release that both graphs have.
    fn metadata(&self, id: LineageNodeId) -> Option<Arc<ReleaseMetadata>> {
        let before = self.pairs.before[id.index()]?;
        Some(Arc::clone(&self.before.release(before).metadata))
    }

    fn difference_to(&self, after: &UpdateGraph) -> GraphDifference {
        let updates_to = |_, to: NodeIndex| match self.updates[LineageNodeId::at(to.index())] {
            Some(_) => UpdatesTo::Same,
            None => UpdatesTo::Others,
        };
        let difference = GraphDifference::of_releases(self.before, after, self.pairs, updates_to);
        // Names have the same ids if the reasons have: the risks are the same.
        let has_same_reasons = self.before.reasons == after.reasons;
        GraphDifference { has_same_reasons, ..difference }
    }
}

/// Whether two versions differ only in the text after the `+`.
fn is_build_of(one: &Version, other: &Version) -> bool {
    let numbers = |version: &Version| (version.major, version.minor, version.patch);
    numbers(one) == numbers(other) && one.pre == other.pre
}

#[cfg(test)]
mod tests {
    use crate::analysis::{GraphDifference, RiskNames};
    use crate::assembly::assemble;
    use crate::domain::Arch;
    use crate::graph::UpdateGraph;
    use crate::graph_data::{Consumer, GraphData};
    use crate::lineage::{Lineage, Past};
    use crate::tree::Blob;

    use super::reassemble;

    const CONSUMER: Consumer = Consumer::Schema1_1;

    fn blob(path: String, text: String) -> Blob {
        Blob::new(path, Ok(text.into_bytes()))
    }

    /// A repository without one of its releases.
    fn files(without: Option<&str>) -> Vec<Blob> {
        let releases = |minor: u64| (0..6).map(move |patch| format!("4.{minor}.{patch}"));
        let channel = |minor: u64| {
            let all = releases(minor - 1).chain(releases(minor));
            let all = all.filter(|release| Some(release.as_str()) != without);
            let versions: Vec<String> = all.map(|release| format!("- {release}\n")).collect();
            let text = format!("name: stable-4.{minor}\nversions:\n{}", versions.concat());
            blob(format!("channels/stable-4.{minor}.yaml"), text)
        };
        let suggestion = |minor: u64| {
            let text = format!(
                "default:\n  minor_min: 4.{before}.1\n  minor_max: 4.{before}.9999\n  \
                 minor_block_list: []\n  z_min: 4.{minor}.0\n  z_max: 4.{minor}.9999\n  \
                 z_block_list: []\n",
                before = minor - 1
            );
            blob(format!("build-suggestions/4.{minor}.yaml"), text)
        };
        let risk = |to: &str, from: &str, name: &str| {
            let text = format!(
                "to: {to}\nfrom: {from}\nurl: https://example.com/{name}\nname: {name}\n\
                 message: Clusters stop.\nmatchingRules:\n- type: Always\n"
            );
            blob(format!("blocked-edges/{to}-{name}.yaml"), text)
        };
        let metadata = r#"{"4.7.2": {"io.openshift.upgrades.graph.previous.add": "4.6.0,4.6.3"},
            "4.7.3": {"io.openshift.upgrades.graph.previous.remove": "4.6.3"}}"#;
        let mut files: Vec<Blob> =
            (6..9).flat_map(|minor| [channel(minor), suggestion(minor)]).collect();
        files.extend([
            risk("4.7.3", "4[.]6[.].*", "First"),
            risk("4.7.4", "4[.]6[.].*", "First"),
            risk("4.7.4", "4[.]6[.][0-3][+].*", "Second"),
            risk("4.8.1", "4[.](7|8)[.].*", "Second"),
            blob("blocked-edges/4.8.2.yaml".into(), "to: 4.8.2\nfrom: 4[.]7[.]3[+].*\n".into()),
            blob("raw/metadata.json".into(), metadata.into()),
            blob("version".into(), "1.1.0\n".into()),
        ]);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files
    }

    fn whole(data: &GraphData) -> (Lineage, UpdateGraph) {
        let lineage = Lineage::predicted(data, &Past::default(), &[Arch::default()]);
        let graph = assemble(data, &lineage, CONSUMER);
        (lineage, graph)
    }

    #[test]
    fn a_graph_after_an_edit_is_the_one_without_a_graph_before() {
        let all = GraphData::from_blobs(files(None));
        let releases: Vec<String> = all.releases.iter().map(|(_, one)| one.text.clone()).collect();
        let mut reasons = 0;
        for release in &releases {
            let smaller = all.another(files(Some(release)));
            for (before, after) in [(&all, &smaller), (&smaller, &all)] {
                assert!(after.loads_declarations_of(before), "{release}");
                let (graph_before, (lineage, expected)) = (whole(before).1, whole(after));
                let made = reassemble(&graph_before, after, &lineage, CONSUMER);
                let Some((graph, Some(difference))) = made else { continue };
                assert_eq!(format!("{graph:?}"), format!("{expected:?}"), "{release}");
                let names = [&graph_before, &expected].map(RiskNames::of);
                let compared =
                    GraphDifference::between((&graph_before, &names[0]), (&expected, &names[1]));
                let told = |difference: &GraphDifference| {
                    let GraphDifference { channels, relisted, has_same_updates, .. } = difference;
                    format!("{channels:?} {relisted:?} {has_same_updates}")
                };
                assert_eq!(Some(told(&difference)), compared.as_ref().map(told), "{release}");
                reasons += graph.reasons.len();
            }
        }
        assert!(reasons > 5 * releases.len(), "{reasons}");
    }
}
