//! What holds for the clusters of a channel, for all answers of its risks, in any order.
//!
//! A cluster only takes updates of its channel. So it stays among the releases that its own leads
//! to by any updates. Unconditional updates are always offered. If they lead to the goal from each
//! of these releases, no sequence of answers strands the cluster (`docs/guarantee.md`).

mod completeness;
mod digest;
mod kept;

use std::collections::{BTreeMap, VecDeque};

use crate::domain::{Arena, Minor};

use super::by_target::ByTarget;
use super::channel_graph::{ChannelGraph, ChannelUpdate, MemberId};
use super::risk_names::{RiskNameId, RiskNames};
use super::stranded::{Goal, Targets};
use super::stranding_sets::{Budget, LARGEST_SET, StrandingSets, without_path_to};

pub use digest::Digests;
pub use kept::{LostPath, lost_paths};

/// What holds for the clusters of a channel that begin at some of its releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The releases that clusters can get to, with those where they begin.
    pub reached: Vec<MemberId>,
    /// For each goal, what holds for it.
    pub aims: Vec<AimProof>,
}

/// Why clusters always get to a release of some minor, or which sets of risks prevent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AimProof {
    pub goal: Goal,
    /// The minor of the targets.
    pub minor: Minor,
    /// The releases that count as reached, oldest first.
    pub targets: Vec<MemberId>,
    /// For each release that clusters can get to, and for those on its path, the unconditional
    /// update to take next.
    pub next: BTreeMap<MemberId, MemberId>,
    /// The releases without such a path, oldest first.
    pub failures: Vec<Failing>,
}

/// A release from which unconditional updates do not lead to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    pub release: MemberId,
    /// The smallest sets of risks that close all paths. Only the empty set if there is no path,
    /// even without risks.
    pub sets: StrandingSets,
    /// Whether it is certain that there are no other such sets.
    pub are_all: bool,
}

impl Guarantee {
    /// The guarantee for clusters that begin at these releases.
    pub fn of(
        channel: &ChannelGraph,
        names: &RiskNames,
        targets: &Targets,
        begins: &Arena<MemberId, bool>,
        goals: &[Goal],
    ) -> Self {
        let reached = reached(channel, begins);
        let by_target = ByTarget::of(channel);
        let prover = Prover { channel, names, by_target };
        let mut by_minor: BTreeMap<Minor, Vec<MemberId>> = BTreeMap::new();
        for at in &reached {
            by_minor.entry(channel.members[*at].minor).or_default().push(*at);
        }
        let mut aims = Vec::new();
        for goal in goals {
            match (goal, targets.minor) {
                (Goal::Patch, _) => aims.extend(
                    by_minor.iter().map(|(minor, own)| prover.aim(Goal::Patch, *minor, own)),
                ),
                (Goal::Minor, Some(minor)) => {
                    let others = reached.iter().copied();
                    let others = others.filter(|at| channel.members[*at].minor != minor);
                    aims.push(prover.aim(Goal::Minor, minor, &others.collect::<Vec<_>>()));
                }
                (Goal::Minor, None) | (Goal::Any, _) => {}
            }
        }
        Self { reached, aims }
    }
}

/// The releases where clusters begin, and those that they can get to by any updates, oldest first.
fn reached(channel: &ChannelGraph, begins: &Arena<MemberId, bool>) -> Vec<MemberId> {
    let mut is_reached = begins.clone();
    let mut next: Vec<MemberId> = begins.ids().filter(|at| begins[*at]).collect();
    while let Some(at) = next.pop() {
        for update in channel.out.get(at) {
            if !std::mem::replace(&mut is_reached[update.to], true) {
                next.push(update.to);
            }
        }
    }
    is_reached.ids().filter(|at| is_reached[*at]).collect()
}

struct Prover<'c> {
    channel: &'c ChannelGraph,
    names: &'c RiskNames,
    by_target: ByTarget<'c>,
}

impl Prover<'_> {
    fn aim(&self, goal: Goal, minor: Minor, origins: &[MemberId]) -> AimProof {
        let targets: Vec<MemberId> = match goal {
            Goal::Patch => self.channel.newest_patch(minor).into_iter().collect(),
            Goal::Any | Goal::Minor => {
                let members = self.channel.members.entries();
                members.filter(|(_, member)| member.minor == minor).map(|(at, _)| at).collect()
            }
        };
        let steps = self.steps(&targets);
        let mut next: BTreeMap<MemberId, MemberId> = BTreeMap::new();
        let mut failing = Vec::new();
        let has_newer = |at: &MemberId| goal != Goal::Patch || self.channel.has_newer_patch(*at);
        for origin in origins.iter().filter(|at| !targets.contains(at) && has_newer(at)) {
            let mut at = *origin;
            if steps[at].is_none() {
                failing.push(at);
            }
            while let Some(to) = steps[at].filter(|_| !next.contains_key(&at)) {
                next.insert(at, to);
                at = to;
            }
        }
        let failures = self.failures(&targets, &failing);
        AimProof { goal, minor, targets, next, failures }
    }

    /// For each release, the first update of a shortest path of unconditional updates to a target.
    fn steps(&self, targets: &[MemberId]) -> Arena<MemberId, Option<MemberId>> {
        let mut steps: Arena<MemberId, Option<MemberId>> =
            Arena::filled(self.channel.members.len(), None);
        // The newest target first, so that paths lead there where there is a choice.
        let mut next: VecDeque<MemberId> = targets.iter().rev().copied().collect();
        while let Some(to) = next.pop_front() {
            for (from, reason) in self.by_target.origins(to) {
                let is_open = self.names.risks(*reason).is_empty();
                if is_open && steps[*from].is_none() && !targets.contains(from) {
                    steps[*from] = Some(to);
                    next.push_back(*from);
                }
            }
        }
        steps
    }

    fn failures(&self, targets: &[MemberId], failing: &[MemberId]) -> Vec<Failing> {
        if failing.is_empty() {
            return Vec::new();
        }
        let is_target = |at| targets.contains(&at);
        let usable: Arena<RiskNameId, bool> = self.names.all().map(|_| true).collect();
        let mut budget = Budget::default();
        let (channel, names) = (self.channel, self.names);
        let sets = without_path_to(channel, names, is_target, &usable, LARGEST_SET, &mut budget);
        let reaching = |allowed: &[RiskNameId]| {
            let is_open = |update: ChannelUpdate| {
                let mut risks = self.names.risks(update.reason).iter();
                risks.all(|risk| allowed.binary_search(risk).is_ok())
            };
            self.by_target.reaching(is_target, is_open)
        };
        let mut checks = completeness::Checks::new(&reaching);
        let of = |release: &MemberId| {
            let sets = sets[*release].clone();
            let are_all = !budget.is_spent() && checks.are_all(*release, &sets);
            Failing { release: *release, sets, are_all }
        };
        failing.iter().map(of).collect()
    }
}
