//! Finds a release in another channel whose promotion would give stranded releases a path again.

use std::collections::BTreeMap;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::analysis::Goal;
use crate::change::Effect;
use crate::domain::version::{self, strip_build};
use crate::domain::{Arch, HashSet, Minor, is_general};
use crate::graph::{ChannelId, Knowledge, State, UpdateGraph};
use crate::text::words::{counted, listed, quoted};

use super::{StrandedCase, Stranding};

/// The phases of channels, in the order in which a release appears in them.
const PHASES: [&str; 4] = ["candidate", "fast", "stable", "eus"];

/// A release whose promotion helps.
struct Promotion<'s> {
    version: &'s str,
    waits_in: &'s str,
    channels: Vec<&'s str>,
    /// The stranded releases that would have a path.
    unblocked: HashSet<&'s str>,
}

impl Stranding<'_> {
    /// The advice to promote a release that waits in another channel and gives some of the releases
    /// a path. The simulation tries the path first.
    pub(super) fn promotion(&self) -> Option<String> {
        let is_lost = matches!(self.effect, Some(Effect::Lost | Effect::LostForAll));
        if !is_lost || !self.is_by_risks() {
            return None;
        }
        let best = self.promotions().into_iter().max_by_key(|one| one.unblocked.len())?;
        let all = self.versions().len();
        let unblocked = match best.unblocked.len() {
            n if n == all => String::new(),
            n => format!(": then {} of them can be updated again", counted(n, "release")),
        };
        Some(format!(
            "promote {}, which waits in `{}`, to {}{unblocked}",
            best.version,
            best.waits_in,
            listed(&quoted(&best.channels), "and"),
        ))
    }

    /// The releases whose promotion helps, newest first.
    fn promotions(&self) -> Vec<Promotion<'_>> {
        let graph = self.simulation.graph;
        let mut found: BTreeMap<NodeIndex, Promotion<'_>> = BTreeMap::new();
        for case in &self.cases {
            let channel = case.channel.channel;
            for (node, waits_in) in self.waiting(case) {
                if !unblocks(graph, case, node) {
                    continue;
                }
                let one = found.entry(node).or_insert_with(|| Promotion {
                    version: strip_build(&graph.release(node).text),
                    waits_in: self.simulation.name(waits_in),
                    channels: Vec::new(),
                    unblocked: HashSet::default(),
                });
                let name = self.simulation.name(channel);
                if !one.channels.contains(&name) {
                    one.channels.push(name);
                }
                one.unblocked.insert(case.version());
            }
        }
        found.into_values().rev().collect()
    }

    /// The releases that the channel of a case lacks, but an earlier channel of the same minor has.
    fn waiting(&self, case: &StrandedCase<'_>) -> Vec<(NodeIndex, ChannelId)> {
        let graph = self.simulation.graph;
        let own = case.channel.channel;
        let Some((phase, minor)) = self.simulation.name(own).split_once('-') else {
            return Vec::new();
        };
        let at = PHASES.iter().position(|known| *known == phase).unwrap_or_default();
        let earlier = PHASES[..at].iter().rev();
        let earlier: Vec<ChannelId> = earlier
            .filter_map(|earlier| {
                let name = format!("{earlier}-{minor}");
                let mut channels = graph.channels.entries();
                channels.find(|(_, known)| **known == name).map(|(id, _)| id)
            })
            .collect();
        let arch = arch(case);
        let waits = |node: NodeIndex| {
            let release = graph.release(node);
            let is_candidate = !release.is_in(own)
                && !release.is_abstract
                && release.is_for(arch)
                && is_general(&release.version);
            let channel = earlier.iter().find(|channel| release.is_in(**channel));
            Some((node, *channel.filter(|_| is_candidate)?))
        };
        graph.graph.node_indices().filter_map(waits).collect()
    }
}

fn arch(case: &StrandedCase<'_>) -> Arch {
    case.architectures.iter().next().unwrap_or_default()
}

/// Whether a stranded release could reach its goal by unconditional updates if its channel also had
/// `more`.
fn unblocks(graph: &UpdateGraph, case: &StrandedCase<'_>, more: NodeIndex) -> bool {
    let version = &graph.release(more).version;
    let channel = &case.channel.graph;
    let own = channel.members[case.stranded.release].minor;
    let is_goal = match case.stranded.goal {
        Goal::Any => true,
        Goal::Patch => {
            let newest = channel.newest_patch(own).map(|newest| channel.version(newest));
            let newest = newest.and_then(version::parse);
            Minor::of(version) == own && newest.is_none_or(|newest| newest < *version)
        }
        Goal::Minor => case.channel.targets.minor == Some(Minor::of(version)),
    };
    is_goal && leads_to(graph, case, more)
}

/// Whether certain, unconditional updates lead from a stranded release to `goal`.
fn leads_to(graph: &UpdateGraph, case: &StrandedCase<'_>, goal: NodeIndex) -> bool {
    let (channel, arch) = (case.channel.channel, arch(case));
    let is_there = |node: NodeIndex| {
        let release = graph.release(node);
        node == goal || release.is_in(channel) && release.is_for(arch)
    };
    let is_origin = |node: &NodeIndex| {
        is_there(*node) && strip_build(&graph.release(*node).text) == strip_build(case.version())
    };
    let mut open: Vec<NodeIndex> = graph.graph.node_indices().filter(is_origin).collect();
    let mut seen: HashSet<NodeIndex> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        if node == goal {
            return true;
        }
        for edge in graph.graph.edges(node) {
            let is_open = graph.reason(edge.id()).state == State::Open
                && edge.weight().knowledge != Knowledge::Uncertain;
            let to = edge.target();
            if is_open && is_there(to) && seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}
