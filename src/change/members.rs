//! Which releases are in which channels, before and after.

use std::collections::{BTreeMap, HashMap};

use petgraph::graph::NodeIndex;

use crate::domain::{Arch, ArchSet, Arena, Named, Version};
use crate::graph::{ChannelId, Release, UpdateGraph, sort_channels};

/// A release that joins or leaves channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The release's version, by its place.
    pub release: u32,
    /// The channels that it joins, by their places.
    pub joins: Vec<u32>,
    /// The channels that it leaves.
    pub leaves: Vec<u32>,
    /// Whether it was in no channel before.
    pub is_new: bool,
    /// Whether it is in no channel any more.
    pub is_gone: bool,
}

/// The releases of two graphs as one list.
pub(super) struct Members {
    pub(super) channels: Vec<String>,
    pub(super) versions: Vec<String>,
    /// For each version, whether some channel has it after.
    pub(super) served: Vec<bool>,
    pub(super) moves: Vec<Move>,
    pub(super) before: Places,
    pub(super) after: Places,
    /// For each node, whether it is in other channels than before.
    pub(super) has_moved: Vec<bool>,
    /// For each node, the place of its version among `versions`.
    pub(super) version_of: Vec<u32>,
    /// For each node, the architectures that it is for.
    pub(super) architectures: Vec<ArchSet>,
}

/// What a graph's releases are in the common list.
pub(super) struct Places {
    /// For each release of the graph, its place.
    pub(super) node: Vec<u32>,
    /// For each place, the channels of its release; none where the graph lacks it.
    pub(super) channels: Vec<Vec<u32>>,
}

impl Members {
    pub(super) fn of(before: &UpdateGraph, after: &UpdateGraph) -> Self {
        let mut channels = [&*before.channels, &*after.channels].concat();
        sort_channels(&mut channels);
        channels.dedup();
        let mut nodes = Nodes::default();
        let (was, is) = (nodes.add(before, &channels), nodes.add(after, &channels));
        let len = nodes.list.len();
        let of = |(node, of_node): (Vec<u32>, Vec<Vec<u32>>)| {
            let mut channels = vec![Vec::new(); len];
            for (place, list) in node.iter().zip(of_node) {
                channels[*place as usize] = list;
            }
            Places { node, channels }
        };
        let (before, after) = (of(was), of(is));
        let has_moved: Vec<bool> =
            before.channels.iter().zip(&after.channels).map(|(was, is)| was != is).collect();
        let mut by_version: BTreeMap<(&Version, &str), Vec<usize>> = BTreeMap::new();
        for (at, (version, core, _)) in nodes.list.iter().enumerate() {
            by_version.entry((version, core)).or_default().push(at);
        }
        let mut version_of = vec![0; len];
        let mut versions: Vec<String> = Vec::with_capacity(by_version.len());
        let mut moves: Vec<Move> = Vec::new();
        for ((_, core), alike) in by_version {
            if versions.last().is_none_or(|last| last != core) {
                versions.push(core.to_owned());
            }
            let release = u32::try_from(versions.len() - 1).unwrap_or(u32::MAX);
            for at in &alike {
                version_of[*at] = release;
            }
            if alike.iter().any(|at| has_moved[*at]) {
                let all = |places: &Places| union(alike.iter().map(|at| &places.channels[*at]));
                let (was, is) = (all(&before), all(&after));
                match moves.last_mut().filter(|last| last.release == release) {
                    Some(last) => last.and(&was, &is),
                    None => moves.push(Move::between(release, &was, &is)),
                }
            }
        }
        let mut served = vec![false; versions.len()];
        for (at, version) in version_of.iter().enumerate() {
            served[*version as usize] |= !after.channels[at].is_empty();
        }
        moves.retain(|one| !one.joins.is_empty() || !one.leaves.is_empty());
        let architectures = nodes.list.iter().map(|(.., architectures)| *architectures).collect();
        Self {
            channels,
            versions,
            served,
            moves,
            before,
            after,
            has_moved,
            version_of,
            architectures,
        }
    }

    /// The architectures that there are releases for.
    pub(super) fn all_architectures(&self) -> ArchSet {
        self.architectures.iter().fold(ArchSet::default(), |all, some| all.or(*some))
    }

    /// The channels that two releases are in together.
    pub(super) fn common(places: &Places, a: usize, b: usize) -> Vec<u32> {
        let (a, b) = (&places.channels[a], &places.channels[b]);
        a.iter().copied().filter(|channel| b.binary_search(channel).is_ok()).collect()
    }
}

impl Move {
    fn between(release: u32, was: &[u32], is: &[u32]) -> Self {
        let without = |list: &[u32], other: &[u32]| -> Vec<u32> {
            list.iter().copied().filter(|channel| other.binary_search(channel).is_err()).collect()
        };
        let (joins, leaves) = (without(is, was), without(was, is));
        Self { release, joins, leaves, is_new: was.is_empty(), is_gone: is.is_empty() }
    }

    /// The same release for another architecture.
    fn and(&mut self, was: &[u32], is: &[u32]) {
        let other = Self::between(self.release, was, is);
        self.joins = union([&self.joins, &other.joins].into_iter());
        self.leaves = union([&self.leaves, &other.leaves].into_iter());
        self.is_new &= other.is_new;
        self.is_gone &= other.is_gone;
    }
}

fn union<'l>(lists: impl Iterator<Item = &'l Vec<u32>>) -> Vec<u32> {
    let mut all: Vec<u32> = lists.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Releases by how they are written, architecture and all.
#[derive(Default)]
struct Nodes<'g> {
    /// Their versions, how clusters see these, and their architectures.
    list: Vec<(&'g Version, &'g str, ArchSet)>,
    places: HashMap<&'g str, u32>,
}

impl<'g> Nodes<'g> {
    /// For each release of a graph, its place, and the places of its channels.
    fn add(&mut self, graph: &'g UpdateGraph, channels: &[String]) -> (Vec<u32>, Vec<Vec<u32>>) {
        let places: HashMap<&str, u32> = channels.iter().map(String::as_str).zip(0..).collect();
        let place = |name: &String| places.get(name.as_str()).copied().unwrap_or(u32::MAX);
        let of_id: Arena<ChannelId, u32> = graph.channels.iter().map(place).collect();
        let release = |node: NodeIndex| {
            let release = graph.release(node);
            let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
            let list = &mut self.list;
            let place = *self.places.entry(&release.text).or_insert_with(|| {
                list.push((&release.version, core(release), architectures(release)));
                next
            });
            let listed = release.channels.iter().filter(|_| !release.is_abstract);
            let mut its: Vec<u32> = listed.map(|id| of_id[*id]).collect();
            its.sort_unstable();
            its.dedup();
            (place, its)
        };
        graph.graph.node_indices().map(release).unzip()
    }
}

/// A version as clusters see it: without the architecture.
fn core(release: &Release) -> &str {
    match release.text.split_once('+') {
        Some((core, build)) if Arch::named(build).is_some() => core,
        _ => &release.text,
    }
}

fn architectures(release: &Release) -> ArchSet {
    Arch::ALL.iter().copied().filter(|arch| release.is_for(*arch)).collect()
}
