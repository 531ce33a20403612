//! Simulates all channels and architectures at once.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::domain::{Arch, ArchSet, Arena, ChannelName, HashMap, Minor, Named, Version, ids};
use crate::graph::{ChannelId, Served, ServedByChannel, UpdateGraph};

use super::channel_graph::{ChannelGraph, MemberId, Trust};
use super::contradictions::Contradictions;
use super::dropped_updates::{DroppedUpdate, has_unclear_risks};
use super::former_targets::FormerTargets;
use super::risk_names::{AffectingRisks, RiskNames};
use super::stranded::{
    Aim, ChannelQuestion, ClusterKind, Goal, OpenUpdates, Stranded, Targets, stranded,
    without_any_exit,
};
use super::stranding_sets::{Budget, LARGEST_SET};
use super::twins::Twins;

ids! {
    /// A channel of one [`Simulation`].
    SimulatedChannelId;
    /// A release of one [`SimulatedChannel`] that is stranded for a goal.
    StrandedId;
}

#[derive(Clone, Debug)]
pub struct SimulationRequest<'r> {
    /// The channels, in the order of the report.
    pub channels: Vec<ChannelId>,
    /// Channels whose result is known from an earlier state with the same reasons. They are not
    /// simulated.
    pub known: KnownChannels,
    pub architectures: Vec<Arch>,
    pub affecting: AffectingRisks,
    pub goals: Vec<Goal>,
    /// The largest size of stranding sets to look for.
    pub largest_set: usize,
    /// What releases had to reach before a change. None if there is no change.
    pub former: Option<&'r FormerTargets>,
}

impl SimulationRequest<'_> {
    /// The parameters of rules and comparisons: all conditional updates removed, all goals.
    pub fn of(channels: Vec<ChannelId>, architectures: Vec<Arch>) -> Self {
        Self {
            channels,
            known: KnownChannels::default(),
            architectures,
            affecting: AffectingRisks::default(),
            goals: Goal::ALL.to_vec(),
            largest_set: LARGEST_SET / 2,
            former: None,
        }
    }
}

/// Known results, by channel. The list of a channel is empty if the channel has no stranded
/// releases: its results are not needed.
pub(crate) type KnownChannels = BTreeMap<ChannelId, Vec<SimulatedChannel>>;

/// The result of a simulation.
#[derive(Debug)]
pub struct Simulation<'g> {
    /// The whole graph.
    pub graph: &'g UpdateGraph,
    /// Which risks affect the simulated clusters.
    pub affecting: AffectingRisks,
    /// The goals that releases must reach.
    pub goals: Vec<Goal>,
    /// The names of the graph's risks.
    pub names: RiskNames,
    /// The channels. A channel whose graph is the same for several architectures is listed once.
    pub channels: Arena<SimulatedChannelId, SimulatedChannel>,
    /// Risks that strand releases only together, and never affect the same cluster.
    pub contradictions: Contradictions,
}

/// The result for one channel, for architectures with the same graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedChannel {
    pub channel: ChannelId,
    pub architectures: ArchSet,
    pub graph: ChannelGraph,
    pub targets: Targets,
    pub is_checked: Arena<MemberId, bool>,
    /// The number of unconditional updates.
    pub open: usize,
    /// The number of conditional updates.
    pub conditional: usize,
    /// The stranded releases, in order of release and goal.
    pub stranded: Arena<StrandedId, Stranded>,
    /// Updates that clusters drop, or do not take as they are written.
    pub dropped: Vec<DroppedUpdate>,
    /// Whether the search for stranding sets ran out of budget, so that some sets are missing.
    pub is_incomplete: bool,
}

impl<'g> Simulation<'g> {
    /// Simulates a graph. `is_supported` says which releases of which channels to check.
    pub fn of(
        graph: &'g UpdateGraph,
        request: &SimulationRequest<'_>,
        is_supported: &(dyn Fn(&str, &Version) -> bool + Sync),
    ) -> Self {
        let names = RiskNames::of(graph);
        let has_unclear_risks = has_unclear_risks(graph);
        let arches = request.architectures.par_iter();
        let parts: Vec<_> = arches.map(|arch| ServedByChannel::of(graph, *arch)).collect();
        let twins = Twins::of(graph, &request.architectures);
        let channels = request.channels.par_iter();
        let channels = channels.map(|channel| {
            if let Some(known) = request.known.get(channel) {
                return known.clone();
            }
            let mut answers: Vec<SimulatedChannel> = Vec::new();
            for part in &parts {
                let served = part.channel(*channel);
                if served.members.is_empty() {
                    continue;
                }
                let of_first = parts[0].members(*channel);
                if let Some(known) = answers.first_mut()
                    && twins.are_alike(of_first, &served.members)
                    && targets(&served, &known.graph, request) == known.targets
                {
                    known.architectures.insert(served.arch);
                    continue;
                }
                let channel = ChannelGraph::of(&served, &names);
                let targets = targets(&served, &channel, request);
                let dropped = DroppedUpdate::of(&served, has_unclear_risks);
                let is_same = |known: &&mut SimulatedChannel| {
                    (&known.graph, &known.targets, &known.dropped) == (&channel, &targets, &dropped)
                };
                if let Some(known) = answers.iter_mut().find(is_same) {
                    known.architectures.insert(served.arch);
                    continue;
                }
                let simulated =
                    simulated(&served, channel, targets, dropped, &names, request, is_supported);
                answers.push(simulated);
            }
            answers
        });
        let channels: Vec<SimulatedChannel> = channels.flatten_iter().collect();
        let channels: Arena<SimulatedChannelId, SimulatedChannel> = channels.into_iter().collect();
        let stranded = channels.iter().flat_map(|channel| &channel.stranded);
        let sets = stranded.flat_map(|stranded| &stranded.sets);
        let contradictions = Contradictions::within(graph, &names, sets);
        let (affecting, goals) = (request.affecting.clone(), request.goals.clone());
        Self { graph, affecting, goals, names, channels, contradictions }
    }

    /// The name of a channel.
    pub fn name(&self, channel: ChannelId) -> &str {
        &self.graph.channels[channel]
    }

    /// The versions of all releases in all channels.
    pub fn versions(&self) -> BTreeSet<&str> {
        let members = self.channels.iter().flat_map(|channel| &channel.graph.members);
        members.map(|member| member.version.as_str()).collect()
    }

    /// For each version and goal, the channels in which the release is not stranded, each with the
    /// architectures for which that is so.
    pub fn not_stranded(&self) -> HashMap<(&str, Goal), Vec<(&str, ArchSet)>> {
        let mut not_stranded: HashMap<(&str, Goal), Vec<(&str, ArchSet)>> = HashMap::default();
        for channel in &self.channels {
            let graph = &channel.graph;
            let is_stranded = |at: MemberId, goal: Goal| channel.stranded_at(at, goal).is_some();
            // The newest release of a channel has no updates in it.
            let with_updates = graph.out.entries().filter(|(_, out)| !out.is_empty());
            for (at, _) in with_updates.filter(|(at, _)| channel.is_checked[*at]) {
                for goal in Goal::ALL.iter().copied().filter(|goal| !is_stranded(at, *goal)) {
                    let channels = not_stranded.entry((graph.version(at), goal)).or_default();
                    let name = self.name(channel.channel);
                    // A channel is listed once for each group of architectures.
                    match channels.last_mut().filter(|(last, _)| *last == name) {
                        Some((_, known)) => *known = known.or(channel.architectures),
                        None => channels.push((name, channel.architectures)),
                    }
                }
            }
        }
        not_stranded
    }
}

impl Simulation<'_> {
    /// For each release of a channel, whether clusters of a kind reach a goal even if no uncertain
    /// update exists. For the goal `patch`, `own` is the minor.
    pub(crate) fn surely_reaching(
        &self,
        channel: SimulatedChannelId,
        goal: Goal,
        own: Minor,
        who: ClusterKind,
    ) -> Arena<MemberId, bool> {
        let SimulatedChannel { graph, targets, .. } = &self.channels[channel];
        if !graph.has_doubts() {
            return graph.members.iter().map(|_| true).collect();
        }
        let open = OpenUpdates::of(graph, &self.names, targets, &self.affecting);
        open.reaching(Aim::of(goal, own), who, Trust::Certain)
    }
}

impl SimulatedChannel {
    /// The entry of a release and goal, if the release is stranded.
    pub fn stranded_at(&self, release: MemberId, goal: Goal) -> Option<&Stranded> {
        let key = |one: &Stranded| (one.release, one.goal);
        let found = self.stranded.binary_search_by_key(&(release, goal), key);
        found.ok().map(|place| &self.stranded[StrandedId::at(place)])
    }

    /// The stranded releases to report. A release without any exit is reported only for the goal
    /// `any`.
    pub fn reported(&self) -> impl Iterator<Item = &Stranded> {
        let without = without_any_exit(self.stranded.iter().map(|one| (one.release, one.goal)));
        let is_reported =
            move |one: &&Stranded| one.goal == Goal::Any || !without.contains(&one.release);
        self.stranded.iter().filter(is_reported)
    }

    /// The number of checked releases.
    pub fn checked(&self) -> usize {
        self.is_checked.iter().filter(|is_checked| **is_checked).count()
    }
}

fn targets(
    served: &Served<'_>,
    channel: &ChannelGraph,
    request: &SimulationRequest<'_>,
) -> Targets {
    let name = &served.whole.channels[served.channel];
    let former = request.former.map(|former| former.oldest_patches(name, served.arch, channel));
    let minor = ChannelName::parse(name).map(|name| name.minor);
    Targets { minor, oldest_patch: former.unwrap_or_default() }
}

fn simulated(
    served: &Served<'_>,
    graph: ChannelGraph,
    targets: Targets,
    dropped: Vec<DroppedUpdate>,
    names: &RiskNames,
    request: &SimulationRequest<'_>,
    is_supported: &(dyn Fn(&str, &Version) -> bool + Sync),
) -> SimulatedChannel {
    let whole = served.whole;
    let name = &whole.channels[served.channel];
    let check = |node| is_supported(name, &whole.release(node).version);
    let is_checked: Arena<MemberId, bool> =
        served.members.iter().map(|node| check(*node)).collect();
    let question = ChannelQuestion {
        targets: &targets,
        is_checked: &is_checked,
        affecting: &request.affecting,
        largest_set: request.largest_set,
    };
    let mut budget = Budget::for_each_of(request.channels.len());
    let mut stranded = stranded(&graph, names, &question, &mut budget);
    stranded.retain(|one| request.goals.contains(&one.goal));
    let all = graph.out.items().iter();
    let conditional = all.clone().filter(|update| !names.risks(update.reason).is_empty()).count();
    SimulatedChannel {
        channel: served.channel,
        architectures: ArchSet::from_iter([served.arch]),
        open: all.count() - conditional,
        conditional,
        stranded: stranded.into_iter().collect(),
        dropped,
        is_incomplete: budget.is_spent(),
        is_checked,
        targets,
        graph,
    }
}
