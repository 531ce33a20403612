//! A channel as oc-mirror gets it from the update service: its releases, and the updates without
//! conditions. oc-mirror ignores conditional updates.

use std::collections::VecDeque;

use petgraph::graph::NodeIndex;

use crate::domain::{Arch, HashMap, Version, version};
use crate::graph::{ChannelId, Served, State, UpdateGraph};

#[derive(Debug)]
pub(super) struct ChannelPart {
    /// Oldest first, without architectures.
    pub(super) releases: Vec<(Version, NodeIndex)>,
    /// The targets of each release, newest first.
    next: HashMap<NodeIndex, Vec<NodeIndex>>,
}

impl ChannelPart {
    pub(super) fn of(graph: &UpdateGraph, channel: ChannelId, arch: Arch) -> Self {
        let served = Served::of(graph, channel, arch);
        let own = |node: &NodeIndex| version::without_build(&graph.release(*node).version);
        let mut releases: Vec<(Version, NodeIndex)> =
            served.members.iter().map(|node| (own(node), *node)).collect();
        releases.sort_by(|(a, _), (b, _)| a.cmp_precedence(b));
        let ranks: HashMap<NodeIndex, usize> =
            releases.iter().enumerate().map(|(rank, (_, node))| (*node, rank)).collect();
        let mut next: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::default();
        for update in served.updates().filter(|update| update.reason.state == State::Open) {
            next.entry(update.from).or_default().push(update.to);
        }
        for targets in next.values_mut() {
            targets.sort_by_key(|target| std::cmp::Reverse(ranks.get(target)));
        }
        Self { releases, next }
    }

    pub(super) fn node(&self, version: &Version) -> Option<NodeIndex> {
        let found = self.releases.iter().find(|(one, _)| one.cmp_precedence(version).is_eq());
        found.map(|(_, node)| *node)
    }

    /// The releases on the shortest path, including both ends. Empty if there is no path.
    pub(super) fn shortest_path(&self, from: NodeIndex, to: NodeIndex) -> Vec<NodeIndex> {
        let mut before: HashMap<NodeIndex, NodeIndex> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                let mut path = vec![to];
                while let Some(node) = path.last().and_then(|last| before.get(last)) {
                    path.push(*node);
                }
                path.reverse();
                return path;
            }
            for target in self.next.get(&at).into_iter().flatten() {
                if *target != from && !before.contains_key(target) {
                    before.insert(*target, at);
                    queue.push_back(*target);
                }
            }
        }
        Vec::new()
    }
}
