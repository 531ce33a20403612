//! Compares the members of channels before and after a change.

use std::collections::BTreeMap;

use petgraph::graph::NodeIndex;

use crate::domain::{Arch, ArchSet, Arena, HashMap, Named, Version, ids};
use crate::graph::{self, ChannelId, UpdateGraph, sort_channels};

ids! {
    /// A channel of one comparison.
    ComparedChannelId;
    /// A version of one comparison.
    VersionId;
    /// A release of one comparison: a version for one architecture.
    ComparedReleaseId;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub release: VersionId,
    pub joins: Vec<ComparedChannelId>,
    pub leaves: Vec<ComparedChannelId>,
    pub is_new: bool,
    /// Whether the release is in no channel after the change.
    pub is_gone: bool,
}

/// The releases of two graphs in one list.
pub(super) struct Members {
    pub(super) channels: Arena<ComparedChannelId, String>,
    pub(super) versions: Arena<VersionId, String>,
    /// For each version, whether a channel has it after the change.
    pub(super) served: Arena<VersionId, bool>,
    pub(super) moves: Vec<Move>,
    pub(super) before: GraphMembers,
    pub(super) after: GraphMembers,
    /// For each release, whether its channels change.
    pub(super) has_moved: Arena<ComparedReleaseId, bool>,
    pub(super) version_of: Arena<ComparedReleaseId, VersionId>,
    pub(super) architectures: Arena<ComparedReleaseId, ArchSet>,
}

/// The releases of one graph, by their places in the common list.
pub(super) struct GraphMembers {
    /// The release of each node of the graph.
    pub(super) node: Vec<ComparedReleaseId>,
    /// The channels of each release, sorted. Empty if the graph does not have the release.
    pub(super) channels: Arena<ComparedReleaseId, Vec<ComparedChannelId>>,
}

impl Members {
    pub(super) fn of(before: &UpdateGraph, after: &UpdateGraph) -> Self {
        let mut channels = [&*before.channels, &*after.channels].concat();
        sort_channels(&mut channels);
        channels.dedup();
        let channels: Arena<ComparedChannelId, String> = channels.into_iter().collect();
        let mut releases = ReleaseTable::default();
        let (was, is) = (releases.add(before, &channels), releases.add(after, &channels));
        let list = releases.list;
        let (before, after) = (GraphMembers::of(was, list.len()), GraphMembers::of(is, list.len()));
        let pairs = before.channels.iter().zip(&after.channels);
        let has_moved: Arena<ComparedReleaseId, bool> = pairs.map(|(was, is)| was != is).collect();
        let mut by_version: BTreeMap<(&Version, &str), Vec<ComparedReleaseId>> = BTreeMap::new();
        for (id, release) in list.entries() {
            by_version.entry((release.version, release.text)).or_default().push(id);
        }
        let mut version_of = Arena::filled(list.len(), VersionId::at(0));
        let mut versions: Arena<VersionId, String> = Arena::default();
        let mut moves: Vec<Move> = Vec::new();
        for ((_, text), alike) in by_version {
            let known = versions.entries().next_back().filter(|(_, last)| *last == text);
            let known = known.map(|(id, _)| id);
            let release = known.unwrap_or_else(|| versions.push(text.to_owned()));
            for id in &alike {
                version_of[*id] = release;
            }
            if alike.iter().any(|id| has_moved[*id]) {
                let all =
                    |places: &GraphMembers| union(alike.iter().map(|id| &places.channels[*id]));
                let (was, is) = (all(&before), all(&after));
                match moves.last_mut().filter(|last| last.release == release) {
                    Some(known) => known.and(&was, &is),
                    None => moves.push(Move::between(release, &was, &is)),
                }
            }
        }
        let mut served = Arena::filled(versions.len(), false);
        for (version, channels) in version_of.iter().zip(&after.channels) {
            served[*version] |= !channels.is_empty();
        }
        moves.retain(|one| !one.joins.is_empty() || !one.leaves.is_empty());
        Self {
            channels,
            versions,
            served,
            moves,
            before,
            after,
            has_moved,
            version_of,
            architectures: list.iter().map(|release| release.architectures).collect(),
        }
    }

    pub(super) fn all_architectures(&self) -> ArchSet {
        self.architectures.iter().fold(ArchSet::default(), |all, some| all.or(*some))
    }

    pub(super) fn common(
        places: &GraphMembers,
        a: ComparedReleaseId,
        b: ComparedReleaseId,
    ) -> Vec<ComparedChannelId> {
        let (a, b) = (&places.channels[a], &places.channels[b]);
        a.iter().copied().filter(|channel| b.binary_search(channel).is_ok()).collect()
    }
}

impl GraphMembers {
    fn of(nodes: Vec<(ComparedReleaseId, Vec<ComparedChannelId>)>, releases: usize) -> Self {
        let mut channels = Arena::filled(releases, Vec::new());
        let node = nodes.iter().map(|(id, _)| *id).collect();
        for (id, own) in nodes {
            channels[id] = own;
        }
        Self { node, channels }
    }
}

impl Move {
    fn between(release: VersionId, was: &[ComparedChannelId], is: &[ComparedChannelId]) -> Self {
        let without = |list: &[ComparedChannelId], other: &[ComparedChannelId]| {
            list.iter().copied().filter(|channel| other.binary_search(channel).is_err()).collect()
        };
        let (joins, leaves) = (without(is, was), without(was, is));
        Self { release, joins, leaves, is_new: was.is_empty(), is_gone: is.is_empty() }
    }

    /// Adds the moves of the same version for another architecture.
    fn and(&mut self, was: &[ComparedChannelId], is: &[ComparedChannelId]) {
        let other = Self::between(self.release, was, is);
        self.joins = union([&self.joins, &other.joins].into_iter());
        self.leaves = union([&self.leaves, &other.leaves].into_iter());
        self.is_new &= other.is_new;
        self.is_gone &= other.is_gone;
    }
}

fn union<'l>(lists: impl Iterator<Item = &'l Vec<ComparedChannelId>>) -> Vec<ComparedChannelId> {
    let mut all: Vec<ComparedChannelId> = lists.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Releases by version text, which includes the architecture.
#[derive(Default)]
struct ReleaseTable<'g> {
    list: Arena<ComparedReleaseId, TableRelease<'g>>,
    ids: HashMap<&'g str, ComparedReleaseId>,
}

struct TableRelease<'g> {
    version: &'g Version,
    /// The version as clusters see it, without the architecture.
    text: &'g str,
    architectures: ArchSet,
}

impl<'g> ReleaseTable<'g> {
    /// Adds the releases of a graph. Returns the id and the channels of each.
    fn add(
        &mut self,
        graph: &'g UpdateGraph,
        channels: &Arena<ComparedChannelId, String>,
    ) -> Vec<(ComparedReleaseId, Vec<ComparedChannelId>)> {
        let by_name: HashMap<&str, ComparedChannelId> =
            channels.entries().map(|(id, name)| (name.as_str(), id)).collect();
        // `channels` has the channels of both graphs.
        let of_id: Arena<ChannelId, ComparedChannelId> =
            graph.channels.iter().map(|name| by_name[name.as_str()]).collect();
        let release = |node: NodeIndex| {
            let release = graph.release(node);
            let list = &mut self.list;
            let id = *self.ids.entry(&release.text).or_insert_with(|| {
                list.push(TableRelease {
                    version: &release.version,
                    text: without_arch(release),
                    architectures: architectures(release),
                })
            });
            let listed = release.channels.iter().filter(|_| !release.is_abstract);
            let mut its: Vec<ComparedChannelId> = listed.map(|id| of_id[*id]).collect();
            its.sort_unstable();
            its.dedup();
            (id, its)
        };
        graph.graph.node_indices().map(release).collect()
    }
}

fn without_arch(release: &graph::Release) -> &str {
    match release.text.split_once('+') {
        Some((core, build)) if Arch::named(build).is_some() => core,
        _ => &release.text,
    }
}

fn architectures(release: &graph::Release) -> ArchSet {
    Arch::ALL.iter().copied().filter(|arch| release.is_for(*arch)).collect()
}
