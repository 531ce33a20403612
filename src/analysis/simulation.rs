//! Every channel and architecture at once.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::domain::{Arch, ArchSet, Arena, ChannelName, Minor, Named, Version};
use crate::graph::{ChannelId, Served, ServedByChannel, UpdateGraph};

use super::channel_graph::{ChannelGraph, MemberId, Trust};
use super::contradictions::Contradictions;
use super::dropped_updates::DroppedUpdate;
use super::former_targets::FormerTargets;
use super::risk_names::{Removal, RiskNames};
use super::stranded::{
    Aim, ClusterKind, Goal, OpenUpdates, Question, Stranded, Targets, stranded, without_any_exit,
};
use super::stranding_sets::{Budget, LARGEST};

/// What is asked of all channels.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The channels, in the order in which they are told.
    pub channels: Vec<ChannelId>,
    /// The architectures.
    pub architectures: Vec<Arch>,
    /// Which risks affect the simulated clusters.
    pub removal: Removal,
    /// What releases should be able to reach.
    pub goals: Vec<Goal>,
    /// The largest sets of risks to look for.
    pub largest_set: usize,
    /// What releases had to reach before a change, where that is asked about.
    pub former: Option<&'r FormerTargets>,
}

impl<'r> Request<'r> {
    /// What rules and comparisons ask: with every conditional update removed, all goals.
    #[must_use]
    pub fn of(channels: Vec<ChannelId>, architectures: Vec<Arch>) -> Self {
        Self {
            channels,
            architectures,
            removal: Removal::default(),
            goals: Goal::ALL.to_vec(),
            largest_set: LARGEST / 2,
            former: None,
        }
    }

    /// The same after a change, judged by what releases had to reach before it.
    #[must_use]
    pub fn after(self, former: &'r FormerTargets) -> Self {
        Self { former: Some(former), ..self }
    }
}

/// What becomes of every channel.
#[derive(Debug)]
pub struct Simulation<'g> {
    /// The whole graph.
    pub graph: &'g UpdateGraph,
    /// Which risks affected the simulated clusters.
    pub removal: Removal,
    /// The names of its risks.
    pub names: RiskNames,
    /// The channels. Of one name, those that are alike for several architectures stand once.
    pub channels: Vec<Simulated>,
    /// Risks that strand releases together, and that no cluster has together.
    pub contradictions: Contradictions,
}

/// What becomes of a channel.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The channel.
    pub channel: ChannelId,
    /// The architectures that it answers alike for.
    pub architectures: ArchSet,
    /// Its graph.
    pub graph: ChannelGraph,
    /// What its releases should reach.
    pub targets: Targets,
    /// Which of its releases are judged.
    pub is_judged: Arena<MemberId, bool>,
    /// How many open updates it has.
    pub open: usize,
    /// How many conditional ones.
    pub conditional: usize,
    /// Who is stranded, by release and goal.
    pub stranded: Vec<Stranded>,
    /// Its updates that clusters drop or read otherwise than they are written.
    pub dropped: Vec<DroppedUpdate>,
    /// Whether the search for sets was given up: then some are missing.
    pub is_cut: bool,
}

impl<'g> Simulation<'g> {
    /// Simulates a graph. `is_supported` says whether a release of a channel is judged.
    #[must_use]
    pub fn of(
        graph: &'g UpdateGraph,
        request: &Request<'_>,
        is_supported: &(dyn Fn(&str, &Version) -> bool + Sync),
    ) -> Self {
        let names = RiskNames::of(graph);
        let arches = request.architectures.par_iter();
        let parts: Vec<_> = arches.map(|arch| ServedByChannel::of(graph, *arch)).collect();
        let channels = request.channels.par_iter();
        let channels = channels.map(|channel| {
            let mut answers: Vec<Simulated> = Vec::new();
            for part in &parts {
                let served = part.channel(*channel);
                if served.members.is_empty() {
                    continue;
                }
                let channel = ChannelGraph::of(&served, &names);
                let targets = targets(&served, &channel, request);
                let is_same =
                    |known: &&mut Simulated| known.graph == channel && known.targets == targets;
                if let Some(known) = answers.iter_mut().find(is_same) {
                    known.architectures.insert(served.arch);
                    continue;
                }
                let parts = (channel, targets);
                answers.push(simulated(&served, parts, &names, request, is_supported));
            }
            answers
        });
        let channels: Vec<Simulated> = channels.flatten_iter().collect();
        let stranded = channels.iter().flat_map(|channel| &channel.stranded);
        let sets = stranded.flat_map(|stranded| &stranded.sets);
        let contradictions = Contradictions::within(graph, &names, sets);
        Self { graph, removal: request.removal.clone(), names, channels, contradictions }
    }

    /// The name of a channel.
    #[must_use]
    pub fn name(&self, channel: ChannelId) -> &str {
        &self.graph.channels[channel]
    }

    /// The versions of all releases, in all channels.
    #[must_use]
    pub fn versions(&self) -> BTreeSet<&str> {
        let members = self.channels.iter().flat_map(|channel| &channel.graph.members);
        members.map(|member| member.version.as_str()).collect()
    }

    /// The channels in which releases are not stranded for a goal, by version.
    #[must_use]
    pub fn not_stranded(&self) -> BTreeMap<(&str, Goal), Vec<&str>> {
        let mut not_stranded: BTreeMap<(&str, Goal), Vec<&str>> = BTreeMap::new();
        for channel in &self.channels {
            let graph = &channel.graph;
            let is_stranded = |at: MemberId, goal: Goal| channel.stranded_at(at, goal).is_some();
            // The newest release of a channel reaches nothing in it.
            let with_updates = graph.out.entries().filter(|(_, out)| !out.is_empty());
            for (at, _) in with_updates.filter(|(at, _)| channel.is_judged[*at]) {
                for goal in Goal::ALL.iter().copied().filter(|goal| !is_stranded(at, *goal)) {
                    let channels = not_stranded.entry((graph.version(at), goal)).or_default();
                    channels.push(self.name(channel.channel));
                }
            }
        }
        not_stranded
    }
}

impl Simulation<'_> {
    /// For each release of a channel, whether some clusters reach a goal even if no uncertain
    /// update exists. For `patch`, `own` is the minor.
    pub(crate) fn surely_reaching(
        &self,
        channel: usize,
        goal: Goal,
        own: Minor,
        who: ClusterKind,
    ) -> Arena<MemberId, bool> {
        let Simulated { graph, targets, .. } = &self.channels[channel];
        if !graph.has_doubts() {
            return graph.members.iter().map(|_| true).collect();
        }
        let open = OpenUpdates::of(graph, &self.names, targets, &self.removal);
        open.reaching(Aim::of(goal, own), who, Trust::Certain)
    }
}

impl Simulated {
    /// What is found of a release that is stranded for a goal.
    #[must_use]
    pub fn stranded_at(&self, release: MemberId, goal: Goal) -> Option<&Stranded> {
        let key = |one: &Stranded| (one.release, one.goal);
        let found = self.stranded.binary_search_by_key(&(release, goal), key);
        found.ok().map(|found| &self.stranded[found])
    }

    /// Its stranded releases for a report: those without any exit only for the goal `any`.
    pub fn reported(&self) -> impl Iterator<Item = &Stranded> {
        let without = without_any_exit(self.stranded.iter().map(|one| (one.release, one.goal)));
        let is_reported =
            move |one: &&Stranded| one.goal == Goal::Any || !without.contains(&one.release);
        self.stranded.iter().filter(is_reported)
    }

    /// How many supported releases are judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        let pairs = self.is_judged.iter().zip(&self.graph.members);
        pairs.filter(|(is_judged, member)| **is_judged && member.is_general).count()
    }
}

/// What the releases of a channel should reach.
fn targets(served: &Served<'_>, channel: &ChannelGraph, request: &Request<'_>) -> Targets {
    let name = &served.whole.channels[served.channel];
    let former = request.former.map(|former| former.oldest_patches(name, served.arch, channel));
    let minor = ChannelName::parse(name).map(|name| name.minor);
    Targets { minor, oldest_patch: former.unwrap_or_default() }
}

fn simulated(
    served: &Served<'_>,
    (graph, targets): (ChannelGraph, Targets),
    names: &RiskNames,
    request: &Request<'_>,
    is_supported: &(dyn Fn(&str, &Version) -> bool + Sync),
) -> Simulated {
    let whole = served.whole;
    let name = &whole.channels[served.channel];
    let judge = |node| is_supported(name, &whole.release(node).version);
    let is_judged: Arena<MemberId, bool> = served.members.iter().map(|node| judge(*node)).collect();
    let question = Question {
        targets: &targets,
        is_judged: &is_judged,
        removal: &request.removal,
        largest_set: request.largest_set,
    };
    let mut budget = Budget::default();
    let mut stranded = stranded(&graph, names, &question, &mut budget);
    stranded.retain(|one| request.goals.contains(&one.goal));
    let all = graph.out.iter().flatten();
    let conditional = all.clone().filter(|update| !names.risks(update.reason).is_empty()).count();
    Simulated {
        channel: served.channel,
        architectures: ArchSet::from_iter([served.arch]),
        open: all.count() - conditional,
        conditional,
        stranded,
        dropped: DroppedUpdate::of(served),
        is_cut: budget.is_spent(),
        is_judged,
        targets,
        graph,
    }
}
