//! Which clusters get stuck with what is mirrored, and the smallest addition that unblocks them.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::NodeIndex;

use crate::analysis::{RiskNames, SafeUpdates};
use crate::domain::{Arch, Version, version};
use crate::fleet::{ClusterClass, CountedClass, FleetGoal, FleetGraph, GoalAnswer, GoalPath};
use crate::graph::UpdateGraph;

use super::additional::{StuckGroup, is_enough, smallest};
use super::config::{ImageSet, MirroredChannel};
use super::entries::Extended;
use super::selection::{Selection, Selector};

/// What is asked about a mirror.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MirrorRequest<'r> {
    pub set: &'r ImageSet,
    pub selector: &'r Selector<'r>,
    pub selection: &'r Selection,
    /// The graph of the mirror's update service.
    pub mirrored: &'r UpdateGraph,
    pub names: &'r RiskNames,
    pub goal: &'r FleetGoal,
}

/// What happens to clusters with a mirror.
#[derive(Debug)]
pub(crate) struct MirrorOutlook {
    /// For each class of clusters.
    pub answers: Vec<MirrorAnswer>,
    /// The releases that the goal means, nearly always one.
    pub goals: BTreeSet<String>,
    /// None if no cluster is stuck.
    pub addition: Option<MirrorAddition>,
}

/// How the clusters of a class get to the goal with what is mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MirrorAnswer {
    /// The clusters run the goal, or a newer release.
    Reached,
    /// With the mirror, the clusters reach their goal, with no more risks than without it.
    Path(GoalPath),
    /// The clusters reach their goal only without the mirror.
    Stuck { why: StuckBecause, without_mirror: GoalPath },
    /// The clusters do not get to their goal, even without the mirror.
    NoPath,
}

/// What keeps a cluster from its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StuckBecause {
    NoRelease(Arch),
    /// The mirror does not have the release that they run, so its update service does not know
    /// them.
    OwnRelease,
    NoPath,
    /// The mirror has a path, but a path over other releases has fewer risks.
    Risks(GoalPath),
}

/// Releases that unblock all stuck clusters, tried on the graph that the mirror would have.
#[derive(Debug)]
pub(crate) struct MirrorAddition {
    /// The releases that are needed, oldest first.
    pub releases: Vec<String>,
    /// Whether it is known that no smaller set is enough.
    pub is_smallest: bool,
    /// The architectures of which nothing is mirrored.
    pub archs: Vec<Arch>,
    /// How the configuration gets them. None if no entries of its channels get them.
    pub entries: Option<MirrorEntries>,
}

/// Changes of a configuration.
#[derive(Debug)]
pub(crate) struct MirrorEntries {
    /// New entries, and those with another range.
    pub channels: Vec<MirroredChannel>,
    /// All architectures, if there are new ones.
    pub archs: Vec<Arch>,
    /// All releases that oc-mirror takes for them, oldest first.
    pub releases: Vec<String>,
}

impl MirrorAnswer {
    /// The path to the goal, with the mirror or without it.
    pub(crate) fn path(&self) -> Option<&GoalPath> {
        match self {
            Self::Path(path) | Self::Stuck { without_mirror: path, .. } => Some(path),
            Self::Reached | Self::NoPath => None,
        }
    }
}

impl MirrorOutlook {
    pub(crate) fn of(request: MirrorRequest<'_>, classes: &[CountedClass]) -> Self {
        let mut full = Outlooks::new(request, request.selector.graph);
        let mut own = Outlooks::new(request, request.mirrored);
        let answers: Vec<MirrorAnswer> =
            classes.iter().map(|one| own.answer(&mut full, &one.class)).collect();
        let stuck: Vec<&ClusterClass> = classes
            .iter()
            .zip(&answers)
            .filter(|(_, answer)| matches!(answer, MirrorAnswer::Stuck { .. }))
            .map(|(one, _)| &one.class)
            .collect();
        let addition = (!stuck.is_empty()).then(|| addition(request, &mut full, &stuck));
        let goals = classes.iter().filter_map(|one| request.goal_of(&one.class));
        let goals = goals.filter_map(|goal| match goal {
            FleetGoal::Release(version) => Some(version),
            _ => None,
        });
        Self { answers, goals: goals.collect(), addition: addition.flatten() }
    }
}

/// One graph, and how classes get to their goals in it.
struct Outlooks<'r> {
    request: MirrorRequest<'r>,
    graph: FleetGraph<'r>,
}

impl<'r> Outlooks<'r> {
    fn new(request: MirrorRequest<'r>, graph: &'r UpdateGraph) -> Self {
        Self { request, graph: FleetGraph::new(graph, request.names, None, None) }
    }

    /// How a class gets to its goal in this graph. `full` has the whole graph.
    fn answer(&mut self, full: &mut Self, class: &ClusterClass) -> MirrorAnswer {
        let Some(goal) = self.request.goal_of(class) else { return MirrorAnswer::NoPath };
        let without_mirror = match full.graph.to(class, &goal) {
            GoalAnswer::Reached => return MirrorAnswer::Reached,
            GoalAnswer::Path(path) => path,
            GoalAnswer::NoPath | GoalAnswer::NoRelease => return MirrorAnswer::NoPath,
        };
        let why = match self.graph.to(class, &goal) {
            GoalAnswer::Path(path) if !path.is_riskier_than(&without_mirror) => {
                return MirrorAnswer::Path(path);
            }
            GoalAnswer::Path(path) => StuckBecause::Risks(path),
            GoalAnswer::Reached | GoalAnswer::NoPath => StuckBecause::NoPath,
            GoalAnswer::NoRelease if !self.request.archs().contains(&class.arch) => {
                StuckBecause::NoRelease(class.arch)
            }
            GoalAnswer::NoRelease if self.graph.has(class) => StuckBecause::NoPath,
            GoalAnswer::NoRelease => StuckBecause::OwnRelease,
        };
        MirrorAnswer::Stuck { why, without_mirror }
    }

    /// The updates that unblock a class, and its goal.
    fn safe_updates(&mut self, class: &ClusterClass) -> Option<(SafeUpdates, NodeIndex)> {
        let goal = self.request.goal_of(class)?;
        let routes = self.graph.routes(class, &goal);
        routes.as_ref().as_ref()?.safe_updates(&class.version)
    }
}

impl MirrorRequest<'_> {
    fn archs(&self) -> Vec<Arch> {
        self.set.mirror.platform.archs().unwrap_or_default()
    }

    /// The goal of a class as a release: the mirror's if it has one, for whichever architecture.
    fn goal_of(&self, class: &ClusterClass) -> Option<FleetGoal> {
        let (mirrored, all) = (self.mirrored, self.selector.graph);
        let channel = all.channel(&class.channel);
        let mut archs = [class.arch].into_iter().chain(self.archs());
        let own = archs.find_map(|arch| self.goal.release(mirrored, channel, arch));
        let goal = own.or_else(|| self.goal.release(all, channel, class.arch))?;
        let version = version::without_build(&all.release(goal).version);
        Some(FleetGoal::Release(version.to_string()))
    }
}

/// Clusters that may take the same updates to the same goal.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SameUpdates {
    updates: Vec<(NodeIndex, NodeIndex)>,
    to: NodeIndex,
}

fn addition(
    request: MirrorRequest<'_>,
    full: &mut Outlooks<'_>,
    stuck: &[&ClusterClass],
) -> Option<MirrorAddition> {
    let graph = request.selector.graph;
    let numbers = Numbers::of(graph);
    let kept = numbers.of_nodes(graph, &request.selection.nodes);
    let mut alike: BTreeMap<SameUpdates, BTreeSet<usize>> = BTreeMap::new();
    for class in stuck {
        let (SafeUpdates { best, mut updates }, to) = full.safe_updates(class)?;
        updates.sort_unstable();
        let from = numbers.of_node(graph, best.hops.first()?.from)?;
        alike.entry(SameUpdates { updates, to }).or_default().insert(from);
    }
    let groups = alike.into_iter().map(|(same, from)| numbers.group(graph, &same, from, &kept));
    let groups: Vec<StuckGroup> = groups.collect::<Option<_>>()?;
    let found = smallest(&groups);
    let needed: Vec<Version> =
        found.releases.iter().map(|number| numbers.versions[*number].clone()).collect();
    let archs: BTreeSet<Arch> = stuck.iter().map(|class| class.arch).collect();
    let archs: Vec<Arch> =
        archs.into_iter().filter(|arch| !request.archs().contains(arch)).collect();
    let mut nodes = request.selection.nodes.clone();
    nodes.extend(graph.graph.node_indices().filter(|node| {
        let own = version::without_build(&graph.release(*node).version);
        needed.contains(&own) || !archs.is_empty() && numbers.is_in(&kept, &own)
    }));
    if !unblocks_all(request, full, stuck, &nodes) {
        return None;
    }
    let suffices = |nodes: &BTreeSet<NodeIndex>| {
        let kept = numbers.of_nodes(graph, nodes);
        is_enough(&groups, &|release| kept.contains(&release))
    };
    let extended = Extended::with(request.selector, request.set, &archs, &needed, suffices);
    let extended = extended.filter(|one| unblocks_all(request, full, stuck, &one.selection.nodes));
    Some(MirrorAddition {
        releases: needed.iter().map(ToString::to_string).collect(),
        is_smallest: found.is_smallest,
        entries: extended.map(|extended| entries(request, &extended)),
        archs,
    })
}

/// Whether the clusters get to their goals in the graph that a mirror with these releases has.
fn unblocks_all(
    request: MirrorRequest<'_>,
    full: &mut Outlooks<'_>,
    stuck: &[&ClusterClass],
    nodes: &BTreeSet<NodeIndex>,
) -> bool {
    let graph = request.selector.graph.with_only(nodes);
    let mut own = FleetGraph::new(&graph, request.names, None, None);
    stuck.iter().all(|class| {
        let Some(goal) = request.goal_of(class) else { return false };
        let GoalAnswer::Path(without_mirror) = full.graph.to(class, &goal) else { return false };
        let answer = own.to(class, &goal);
        matches!(answer, GoalAnswer::Path(path) if !path.is_riskier_than(&without_mirror))
    })
}

fn entries(request: MirrorRequest<'_>, extended: &Extended) -> MirrorEntries {
    let before = &request.set.mirror.platform.channels;
    let after = extended.set.mirror.platform.channels.iter();
    let archs = extended.set.mirror.platform.archs().ok();
    let graph = request.selector.graph;
    let new = extended.selection.nodes.difference(&request.selection.nodes);
    let new = new.map(|node| version::without_build(&graph.release(*node).version));
    let new: BTreeSet<Version> = new.collect();
    MirrorEntries {
        channels: after.filter(|channel| !before.contains(channel)).cloned().collect(),
        archs: archs.filter(|archs| *archs != request.archs()).unwrap_or_default(),
        releases: new.iter().map(ToString::to_string).collect(),
    }
}

/// The versions of all releases, oldest first, without architectures. A version is a number.
struct Numbers {
    versions: Vec<Version>,
}

impl Numbers {
    fn of(graph: &UpdateGraph) -> Self {
        let all = graph.graph.node_weights().map(|one| version::without_build(&one.version));
        let versions: BTreeSet<Version> = all.collect();
        Self { versions: versions.into_iter().collect() }
    }

    fn of_node(&self, graph: &UpdateGraph, node: NodeIndex) -> Option<usize> {
        let version = version::without_build(&graph.release(node).version);
        self.versions.binary_search(&version).ok()
    }

    fn of_nodes(&self, graph: &UpdateGraph, nodes: &BTreeSet<NodeIndex>) -> BTreeSet<usize> {
        nodes.iter().filter_map(|node| self.of_node(graph, *node)).collect()
    }

    fn group(
        &self,
        graph: &UpdateGraph,
        same: &SameUpdates,
        from: BTreeSet<usize>,
        kept: &BTreeSet<usize>,
    ) -> Option<StuckGroup> {
        let mut next = vec![Vec::new(); self.versions.len()];
        for (origin, target) in &same.updates {
            next[self.of_node(graph, *origin)?].push(self.of_node(graph, *target)?);
        }
        let is_mirrored = (0..self.versions.len()).map(|number| kept.contains(&number)).collect();
        Some(StuckGroup::new(from, self.of_node(graph, same.to)?, next, is_mirrored))
    }

    fn is_in(&self, numbers: &BTreeSet<usize>, version: &Version) -> bool {
        self.versions.binary_search(version).is_ok_and(|number| numbers.contains(&number))
    }
}
