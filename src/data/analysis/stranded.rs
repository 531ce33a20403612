//! Finds the releases of a channel that are stranded when the updates with some risks are removed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use crate::domain::{Arena, HashMap, HashSet, Minor, Named};
use crate::graph::ReasonId;

use super::by_target::ByTarget;
use super::channel_graph::{ChannelGraph, ChannelUpdate, Member, MemberId, Trust};
use super::risk_names::{AffectingRisks, RiskNameId, RiskNames};
use super::stranding_sets::{Budget, StrandingSets, without_exit, without_path_to};

/// What a release should be able to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// Any other release.
    Any,
    /// The newest generally available release of its own minor in the channel.
    Patch,
    /// Some release of the channel's own minor.
    Minor,
}

impl Named for Goal {
    const ALL: &'static [Self] = &[Self::Any, Self::Patch, Self::Minor];

    fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Patch => "patch",
            Self::Minor => "minor",
        }
    }
}

/// Why a release is stranded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The graph has no path, even without risks.
    Graph,
    /// Risks close all paths.
    Risks,
}

/// A release that cannot reach a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranded {
    /// The release.
    pub release: MemberId,
    /// The goal that it cannot reach.
    pub goal: Goal,
    /// Whether the graph or risks strand it.
    pub cause: Cause,
    /// Whether it is stranded for all clusters: by the graph, or by `Always` risks alone.
    pub is_for_all: bool,
    /// The risks of its own closed updates, sorted. Empty if the graph strands it.
    pub risks: Vec<RiskNameId>,
    /// The minimal sets of risks that strand it, smallest first.
    pub sets: StrandingSets,
    /// The risks whose removal alone would open a path.
    pub unblocked_by: Vec<RiskNameId>,
    /// Its own closed updates, newest target first.
    pub exits: Vec<ClosedUpdate>,
    /// Whether it is stranded even if all uncertain updates exist.
    pub is_certain: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedUpdate {
    pub to: MemberId,
    pub risks: Vec<RiskNameId>,
    pub reason: ReasonId,
}

/// What the releases of a channel should reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The channel's own minor, for the goal `minor`. None if the channel has no such goal.
    pub minor: Option<Minor>,
    /// For the goal `patch`, the oldest patch of each minor that counts as reached: the newest one
    /// before a change. For a minor without an entry, only the newest patch counts.
    pub oldest_patch: BTreeMap<Minor, MemberId>,
}

impl Targets {
    /// For each release of a channel, whether it counts as reached. For the goal `patch`, `own` is
    /// the minor of the origins. For `any`, every release counts: a release that reaches another
    /// one has an update.
    pub(super) fn of(
        &self,
        channel: &ChannelGraph,
        goal: Goal,
        own: Option<Minor>,
    ) -> Arena<MemberId, bool> {
        let newest = own.and_then(|own| channel.newest_patch(own));
        let oldest = own.and_then(|own| self.oldest_patch.get(&own).copied()).or(newest);
        let is_patch = |at: MemberId, member: &Member| {
            let is_new = || member.is_general && oldest.is_some_and(|oldest| oldest <= at);
            Some(member.minor) == own && (newest == Some(at) || is_new())
        };
        let is_target = |(at, member): (MemberId, &Member)| match goal {
            Goal::Any => true,
            Goal::Patch => is_patch(at, member),
            Goal::Minor => self.minor == Some(member.minor),
        };
        channel.members.entries().map(is_target).collect()
    }
}

/// The parameters of the search for stranded releases of one channel.
#[derive(Clone, Debug)]
pub struct ChannelQuestion<'q> {
    /// What its releases should reach.
    pub targets: &'q Targets,
    /// For each release of the channel, whether it is checked.
    pub is_checked: &'q Arena<MemberId, bool>,
    /// Which risks affect the simulated clusters.
    pub affecting: &'q AffectingRisks,
    /// The largest size of stranding sets to look for.
    pub largest_set: usize,
}

/// The updates of a channel, and for which clusters they are open.
pub(super) struct OpenUpdates<'q> {
    pub(super) channel: &'q ChannelGraph,
    by_target: OnceCell<ByTarget<'q>>,
    pub(super) names: &'q RiskNames,
    pub(super) targets: &'q Targets,
    /// For each risk, whether it affects the simulated clusters.
    affecting: Arena<RiskNameId, bool>,
    /// For each reason, whether its updates are open for clusters that all these risks affect.
    to_affected: Arena<ReasonId, bool>,
    /// For each reason, whether its updates are open for clusters that only the `Always` risks
    /// among these risks affect.
    to_least_affected: Arena<ReasonId, bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClusterKind {
    /// All simulated risks affect them.
    Affected,
    /// Only the `Always` risks among the simulated risks affect them.
    LeastAffected,
    /// No risk affects them.
    Unaffected,
}

impl<'q> OpenUpdates<'q> {
    pub(super) fn of(
        channel: &'q ChannelGraph,
        names: &'q RiskNames,
        targets: &'q Targets,
        risks: &AffectingRisks,
    ) -> Self {
        let affecting = names.affecting(risks);
        let always = affecting.entries().map(|(id, affects)| *affects && names.is_always(id));
        let to_least_affected = names.open(&always.collect());
        Self {
            to_affected: names.open(&affecting),
            to_least_affected,
            channel,
            by_target: OnceCell::new(),
            names,
            targets,
            affecting,
        }
    }

    fn is_open(&self, who: ClusterKind, update: ChannelUpdate) -> bool {
        match who {
            ClusterKind::Affected => self.to_affected[update.reason],
            ClusterKind::LeastAffected => self.to_least_affected[update.reason],
            ClusterKind::Unaffected => true,
        }
    }

    pub(super) fn reaching(
        &self,
        aim: Aim,
        who: ClusterKind,
        trust: Trust,
    ) -> Arena<MemberId, bool> {
        self.reaching_if(aim, trust, |update| self.is_open(who, update))
    }

    /// Whether an affected cluster has an update from a release after one risk is removed.
    fn leaves_without(&self, at: MemberId, removed_risk: RiskNameId) -> bool {
        let mut out = self.channel.out.get(at).iter();
        out.any(|update| self.names.is_open_without(update.reason, &self.affecting, removed_risk))
    }

    /// Like `reaching`, for affected clusters after one risk is removed.
    fn reaching_without(&self, removed_risk: RiskNameId, aim: Aim) -> Arena<MemberId, bool> {
        let is_open = |update: ChannelUpdate| {
            self.names.is_open_without(update.reason, &self.affecting, removed_risk)
        };
        self.reaching_if(aim, Trust::Likely, is_open)
    }

    fn reaching_if(
        &self,
        aim: Aim,
        trust: Trust,
        is_open: impl Fn(ChannelUpdate) -> bool,
    ) -> Arena<MemberId, bool> {
        if aim.goal == Goal::Any {
            return self.channel.leaving_with(trust, is_open);
        }
        let targets = self.targets.of(self.channel, aim.goal, aim.minor);
        let by_target = self.by_target.get_or_init(|| ByTarget::of(self.channel));
        by_target.reaching_with(trust, |at| targets[at], is_open)
    }

    fn sets(&self, aim: Aim, size: usize, budget: &mut Budget) -> Arena<MemberId, StrandingSets> {
        let (channel, names) = (self.channel, self.names);
        if aim.goal == Goal::Any {
            return without_exit(channel, names, &self.affecting, size, budget);
        }
        let targets = self.targets.of(channel, aim.goal, aim.minor);
        without_path_to(channel, names, |at| targets[at], &self.affecting, size, budget)
    }

    /// The risks whose removal alone may open a path: those that are the only closing risk of an
    /// update to a release that reaches the goal.
    fn last_risks(&self, goal: Goal, reaches: &Arena<MemberId, bool>) -> Vec<RiskNameId> {
        let closed = self.channel.out.items().iter();
        let closed = closed.filter(|update| goal == Goal::Any || reaches[update.to]);
        let last = closed.filter_map(|update| {
            let risks = self.names.risks(update.reason).iter();
            let mut risks = risks.filter(|risk| self.affecting[**risk]);
            risks.next().filter(|_| risks.next().is_none()).copied()
        });
        last.collect::<BTreeSet<RiskNameId>>().into_iter().collect()
    }

    fn stranded(
        &self,
        release: MemberId,
        goal: Goal,
        cause: Cause,
        sets: &StrandingSets,
    ) -> Stranded {
        let closed = self.channel.out.get(release).iter();
        let closed = closed.filter(|update| !self.is_open(ClusterKind::Affected, **update));
        let exits = closed.map(|update| ClosedUpdate {
            to: update.to,
            risks: self.names.risks(update.reason).to_vec(),
            reason: update.reason,
        });
        let exits: Vec<ClosedUpdate> = exits.collect();
        let mut risks: Vec<RiskNameId> = exits.iter().flat_map(|exit| exit.risks.clone()).collect();
        risks.sort_unstable();
        risks.dedup();
        let (risks, sets) = match cause {
            Cause::Risks => (risks, sets.clone()),
            Cause::Graph => (Vec::new(), vec![Vec::new()]),
        };
        Stranded {
            release,
            goal,
            cause,
            is_for_all: cause == Cause::Graph,
            risks,
            sets,
            unblocked_by: Vec::new(),
            exits,
            is_certain: true,
        }
    }
}

/// A goal and, for `patch`, the minor of the origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Aim {
    pub(super) goal: Goal,
    pub(super) minor: Option<Minor>,
}

impl Aim {
    pub(super) fn of(goal: Goal, own: Minor) -> Self {
        Self { goal, minor: (goal == Goal::Patch).then_some(own) }
    }
}

/// The checked releases of a channel that are stranded, in order of release and goal.
pub fn stranded(
    channel: &ChannelGraph,
    names: &RiskNames,
    question: &ChannelQuestion<'_>,
    budget: &mut Budget,
) -> Vec<Stranded> {
    let open = OpenUpdates::of(channel, names, question.targets, question.affecting);
    let is_checked = |at: &MemberId| question.is_checked[*at] && channel.is_behind(*at);
    let checked: Vec<MemberId> = channel.members.ids().filter(is_checked).collect();
    let visits = channel.size();
    let mut found = Vec::new();
    for (aim, origins) in aims(&open, &checked) {
        let reaches = open.reaching(aim, ClusterKind::Affected, Trust::Likely);
        let lost: Vec<MemberId> = origins.into_iter().filter(|at| !reaches[*at]).collect();
        if lost.is_empty() {
            continue;
        }
        let reaches_unaffected = open.reaching(aim, ClusterKind::Unaffected, Trust::Likely);
        let least_affected = open.reaching(aim, ClusterKind::LeastAffected, Trust::Likely);
        let possibly = |who: ClusterKind| {
            channel.has_doubts().then(|| open.reaching(aim, who, Trust::Possible))
        };
        let (may_reach, may_ever) =
            (possibly(ClusterKind::Affected), possibly(ClusterKind::Unaffected));
        let sets = open.sets(aim, question.largest_set, budget);
        let candidates = open.last_risks(aim.goal, &reaches);
        let mut without: HashMap<RiskNameId, Arena<MemberId, bool>> = HashMap::default();
        for at in lost {
            let cause = if reaches_unaffected[at] { Cause::Risks } else { Cause::Graph };
            let mut one = open.stranded(at, aim.goal, cause, &sets[at]);
            one.is_for_all = !least_affected[at];
            let doubt = if cause == Cause::Graph { &may_ever } else { &may_reach };
            one.is_certain = doubt.as_ref().is_none_or(|reaches| !reaches[at]);
            let candidates = one.possibly_unblocking(&candidates);
            one.unblocked_by = candidates
                .into_iter()
                .filter(|risk| {
                    if aim.goal == Goal::Any {
                        return open.leaves_without(at, *risk);
                    }
                    if !without.contains_key(risk) && budget.visit(visits) {
                        without.insert(*risk, open.reaching_without(*risk, aim));
                    }
                    without.get(risk).is_some_and(|reaches| reaches[at])
                })
                .collect();
            found.push(one);
        }
    }
    found.sort_by_key(|stranded| (stranded.release, stranded.goal));
    found
}

/// All aims, each with the checked releases that have to reach it.
fn aims(open: &OpenUpdates<'_>, checked: &[MemberId]) -> Vec<(Aim, Vec<MemberId>)> {
    let channel = open.channel;
    let minor_of = |at: &MemberId| channel.members[*at].minor;
    let mut aims = vec![(Aim { goal: Goal::Any, minor: None }, checked.to_vec())];
    for alike in checked.chunk_by(|a, b| minor_of(a) == minor_of(b)) {
        let own = minor_of(&alike[0]);
        let targets = open.targets.of(channel, Goal::Patch, Some(own));
        let others =
            alike.iter().copied().filter(|at| !targets[*at] && channel.has_newer_patch(*at));
        aims.push((Aim::of(Goal::Patch, own), others.collect()));
    }
    if let Some(minor) = open.targets.minor {
        let others = checked.iter().copied().filter(|at| minor_of(at) != minor).collect();
        aims.push((Aim::of(Goal::Minor, minor), others));
    }
    aims
}

/// The keys of releases that have no exit at all. They cannot reach any other goal either, so
/// reports skip their other goals.
pub(crate) fn without_any_exit<K: Eq + Hash>(
    stranded: impl Iterator<Item = (K, Goal)>,
) -> HashSet<K> {
    stranded.filter(|(_, goal)| *goal == Goal::Any).map(|(key, _)| key).collect()
}

impl Stranded {
    /// Whether the release has no update, even without risks.
    pub fn is_dead_end(&self) -> bool {
        self.goal == Goal::Any && self.cause == Cause::Graph
    }

    /// The smallest of the sets that strand it. If it is stranded for all clusters, only sets of
    /// `Always` risks count, if there are any.
    pub fn smallest_sets(&self, names: &RiskNames) -> Vec<&Vec<RiskNameId>> {
        let is_always = |set: &Vec<RiskNameId>| set.iter().all(|risk| names.is_always(*risk));
        let for_all = self.sets.iter().filter(|set| self.is_for_all && is_always(set));
        let mut sets: Vec<&Vec<RiskNameId>> = for_all.collect();
        if sets.is_empty() {
            sets = self.sets.iter().collect();
        }
        let least = sets.iter().map(|set| set.len()).min().unwrap_or(0);
        sets.retain(|set| set.len() == least);
        sets
    }

    /// The risks whose removal alone may help, among some candidates: such a risk is in every set
    /// that strands the release. Both lists are sorted.
    fn possibly_unblocking(&self, candidates: &[RiskNameId]) -> Vec<RiskNameId> {
        let Some((first, others)) = self.sets.split_first() else { return candidates.to_vec() };
        let is_in_all = |risk: &RiskNameId| others.iter().all(|set| set.contains(risk));
        let is_candidate = |risk: &RiskNameId| candidates.binary_search(risk).is_ok();
        first.iter().copied().filter(is_in_all).filter(is_candidate).collect()
    }
}
