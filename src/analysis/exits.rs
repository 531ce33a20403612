//! Which releases are left without an exit path when some risks are taken to affect a cluster.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::graph::ReasonId;

use super::names::{Names, Removal};
use super::sets::{Budget, Family, without_exit, without_way_to};
use super::ways::{Trust, Way, Ways};

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

impl Goal {
    /// Every goal.
    pub const ALL: [Self; 3] = [Self::Any, Self::Patch, Self::Minor];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Patch => "patch",
            Self::Minor => "minor",
        }
    }
}

/// Why a release is stranded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The graph has no path, even without risks.
    Graph,
    /// The risks.
    Risks,
}

/// A release that cannot reach a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranded {
    /// The release's place in the channel.
    pub release: usize,
    /// What it cannot reach.
    pub goal: Goal,
    /// Why.
    pub cause: Cause,
    /// Whether that is so for every cluster: the graph strands it, or `Always` risks alone do.
    pub is_for_all: bool,
    /// The risks on its own closed updates.
    pub risks: Vec<u32>,
    /// The smallest sets of risks that strand it.
    pub sets: Family,
    /// The risks of which the end of one alone would open a path.
    pub freed_by: Vec<u32>,
    /// Its own closed updates, newest target first.
    pub exits: Vec<Exit>,
    /// Whether it is stranded even if every update exists that may exist.
    pub is_certain: bool,
}

/// An update that risks close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The target's place in the channel.
    pub to: usize,
    /// Its risks.
    pub risks: Vec<u32>,
    /// Why it is as it is.
    pub reason: ReasonId,
}

/// What the releases of a channel should reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The channel's own minor; without one, there is no such goal.
    pub minor: Option<(u64, u64)>,
    /// By minor, the oldest patch that counts as its newest: the one that was newest before a
    /// change. Without one, the newest alone counts.
    pub oldest_patch: BTreeMap<(u64, u64), usize>,
}

impl Targets {
    /// For each release of a channel, whether it is one to reach; `own` is the minor of those that
    /// should. A release that reaches any other release at all has an update, so all of them are.
    pub(super) fn of(&self, ways: &Ways, goal: Goal, own: (u64, u64)) -> Vec<bool> {
        let newest = newest_of(ways, own);
        let oldest = self.oldest_patch.get(&own).copied().or(newest);
        let is_patch = |at: usize| {
            ways.is_general[at]
                && ways.minors[at] == own
                && (newest == Some(at) || oldest.is_some_and(|oldest| oldest <= at))
        };
        let is_target = |at: usize| match goal {
            Goal::Any => true,
            Goal::Patch => is_patch(at),
            Goal::Minor => self.minor == Some(ways.minors[at]),
        };
        (0..ways.len()).map(is_target).collect()
    }
}

/// The newest generally available release of a minor.
pub(super) fn newest_of(ways: &Ways, minor: (u64, u64)) -> Option<usize> {
    (0..ways.len()).rev().find(|at| ways.is_general[*at] && ways.minors[*at] == minor)
}

/// What is asked of a channel.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// What its releases should reach.
    pub targets: &'q Targets,
    /// For each release of the channel, whether it is judged.
    pub is_judged: &'q [bool],
    /// Which risks are taken to affect a cluster.
    pub removal: &'q Removal,
    /// Sets of more risks than these are not looked for.
    pub largest_set: usize,
}

/// A question, and which updates are open to which clusters.
pub(super) struct Open<'q> {
    pub(super) ways: &'q Ways,
    pub(super) names: &'q Names,
    pub(super) targets: &'q Targets,
    /// For each name, whether it is taken to affect a cluster.
    removed: Vec<bool>,
    /// For each reason, whether its updates are open to a cluster that all removed risks affect.
    to_affected: Vec<bool>,
    /// The same for a cluster that only `Always` risks affect.
    to_luckiest: Vec<bool>,
}

/// Which clusters are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Those that every removed risk affects.
    Affected,
    /// Those that no risk affects but the removed ones that affect every cluster.
    Luckiest,
    /// Clusters for which every conditional update is open.
    Nobody,
}

impl<'q> Open<'q> {
    pub(super) fn of(
        ways: &'q Ways,
        names: &'q Names,
        targets: &'q Targets,
        removal: &Removal,
    ) -> Self {
        let removed = names.removed(removal);
        let always = |(at, is_removed): (u32, &bool)| *is_removed && names.is_always(at);
        let always: Vec<bool> = (0..).zip(&removed).map(always).collect();
        Self {
            to_affected: names.open(&removed),
            to_luckiest: names.open(&always),
            ways,
            names,
            targets,
            removed,
        }
    }

    fn is_open(&self, who: Who, way: Way) -> bool {
        match who {
            Who::Affected => self.to_affected[way.reason.0 as usize],
            Who::Luckiest => self.to_luckiest[way.reason.0 as usize],
            Who::Nobody => true,
        }
    }

    /// For each release, whether clusters on it reach a goal; `own` is the minor that its patches
    /// are of.
    pub(super) fn reaching(
        &self,
        goal: Goal,
        own: (u64, u64),
        who: Who,
        trust: Trust,
    ) -> Vec<bool> {
        let is_open = |way: &Way| self.is_open(who, *way);
        if goal == Goal::Any {
            return self.ways.leaving_with(trust, is_open);
        }
        let targets = self.targets.of(self.ways, goal, own);
        self.ways.reaching_with(trust, |at| targets[at], is_open)
    }

    /// The same if one removed risk had ended.
    fn reaching_without(&self, ended: u32, goal: Goal, own: (u64, u64)) -> Vec<bool> {
        let is_open = |way: &Way| self.names.is_open_without(way.reason, &self.removed, ended);
        if goal == Goal::Any {
            return self.ways.leaving_with(Trust::Likely, is_open);
        }
        let targets = self.targets.of(self.ways, goal, own);
        self.ways.reaching(|at| targets[at], is_open)
    }

    /// For each release, the sets of risks that strand it.
    fn sets(&self, goal: Goal, own: (u64, u64), size: usize, budget: &mut Budget) -> Vec<Family> {
        if goal == Goal::Any {
            return without_exit(self.ways, self.names, &self.removed, size, budget);
        }
        let targets = self.targets.of(self.ways, goal, own);
        without_way_to((self.ways, self.names), |at| targets[at], &self.removed, size, budget)
    }

    /// The risks of which the end of one alone may open a path: where only one of them closes an
    /// update to where a path goes on.
    fn last_risks(&self, goal: Goal, reaches: &[bool]) -> Vec<u32> {
        let closed = self.ways.out.iter().flatten();
        let closed = closed.filter(|way| goal == Goal::Any || reaches[way.to as usize]);
        let last = closed.filter_map(|way| {
            let risks = self.names.risks(way.reason).iter();
            let mut risks = risks.filter(|risk| self.removed[**risk as usize]);
            risks.next().filter(|_| risks.next().is_none()).copied()
        });
        last.collect::<BTreeSet<u32>>().into_iter().collect()
    }

    fn stranded(&self, release: usize, goal: Goal, cause: Cause, sets: &Family) -> Stranded {
        let closed = self.ways.out[release].iter();
        let closed = closed.filter(|way| !self.is_open(Who::Affected, **way));
        let exits = closed.map(|way| Exit {
            to: way.to as usize,
            risks: self.names.risks(way.reason).to_vec(),
            reason: way.reason,
        });
        let exits: Vec<Exit> = exits.collect();
        let mut risks: Vec<u32> = exits.iter().flat_map(|exit| exit.risks.clone()).collect();
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
            freed_by: Vec::new(),
            exits,
            is_certain: true,
        }
    }
}

/// The judged releases of a channel that a removal strands, by release and goal.
#[must_use]
pub fn stranded(
    ways: &Ways,
    names: &Names,
    question: &Question<'_>,
    budget: &mut Budget,
) -> Vec<Stranded> {
    let open = Open::of(ways, names, question.targets, question.removal);
    let head = ways.head().unwrap_or(0);
    let is_judged = |at: &usize| ways.is_general[*at] && question.is_judged[*at];
    let judged: Vec<usize> = (0..head).filter(is_judged).collect();
    let mut found = Vec::new();
    for (goal, own, origins) in goals(&open, &judged) {
        let reaches = open.reaching(goal, own, Who::Affected, Trust::Likely);
        let lost: Vec<usize> = origins.into_iter().filter(|at| !reaches[*at]).collect();
        if lost.is_empty() {
            continue;
        }
        let could = open.reaching(goal, own, Who::Nobody, Trust::Likely);
        let lucky = open.reaching(goal, own, Who::Luckiest, Trust::Likely);
        let possibly =
            |who: Who| ways.has_doubts().then(|| open.reaching(goal, own, who, Trust::Possible));
        let (may_reach, may_ever) = (possibly(Who::Affected), possibly(Who::Nobody));
        let sets = open.sets(goal, own, question.largest_set, budget);
        let candidates = open.last_risks(goal, &reaches);
        let mut without: HashMap<u32, Vec<bool>> = HashMap::new();
        for at in lost {
            let cause = if could[at] { Cause::Risks } else { Cause::Graph };
            let mut one = open.stranded(at, goal, cause, &sets[at]);
            one.is_for_all = !lucky[at];
            let doubt = if cause == Cause::Graph { &may_ever } else { &may_reach };
            one.is_certain = doubt.as_ref().is_none_or(|reaches| !reaches[at]);
            one.is_freed_by(&candidates, |risk| {
                without.entry(risk).or_insert_with(|| open.reaching_without(risk, goal, own))[at]
            });
            found.push(one);
        }
    }
    found.sort_by_key(|stranded| (stranded.release, stranded.goal));
    found
}

/// The goals that need a path: for each, the minor that its patches are of, and the judged
/// releases that it is for.
fn goals(open: &Open<'_>, judged: &[usize]) -> Vec<(Goal, (u64, u64), Vec<usize>)> {
    let ways = open.ways;
    let mut goals = vec![(Goal::Any, (0, 0), judged.to_vec())];
    for alike in judged.chunk_by(|a, b| ways.minors[*a] == ways.minors[*b]) {
        let own = ways.minors[alike[0]];
        let targets = open.targets.of(ways, Goal::Patch, own);
        let others = alike.iter().copied().filter(|at| !targets[*at]).collect();
        goals.push((Goal::Patch, own, others));
    }
    if let Some(minor) = open.targets.minor {
        let others = judged.iter().copied().filter(|at| ways.minors[*at] != minor).collect();
        goals.push((Goal::Minor, minor, others));
    }
    goals
}

impl Stranded {
    /// Whether no update leads on from it, even without risks.
    #[must_use]
    pub fn is_dead_end(&self) -> bool {
        self.goal == Goal::Any && self.cause == Cause::Graph
    }

    /// The smallest of the sets that strand it; where every cluster is stranded, of those that
    /// affect every cluster.
    #[must_use]
    pub fn smallest_sets(&self, names: &Names) -> Vec<&Vec<u32>> {
        let is_always = |set: &Vec<u32>| set.iter().all(|risk| names.is_always(*risk));
        let for_all = self.sets.iter().filter(|set| self.is_for_all && is_always(set));
        let mut sets: Vec<&Vec<u32>> = for_all.collect();
        if sets.is_empty() {
            sets = self.sets.iter().collect();
        }
        let least = sets.iter().map(|set| set.len()).min().unwrap_or(0);
        sets.retain(|set| set.len() == least);
        sets
    }

    /// Looks for the risks whose end alone would help. Such a one is in every set that strands.
    fn is_freed_by(&mut self, candidates: &[u32], mut would_help: impl FnMut(u32) -> bool) {
        let is_in_all = |risk: &u32| self.sets.iter().all(|set| set.contains(risk));
        let candidates = candidates.iter().copied().filter(is_in_all);
        self.freed_by = candidates.filter(|risk| would_help(*risk)).collect();
    }
}
