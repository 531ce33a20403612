//! Who is left without an exit path when some risks are taken to affect a cluster.

use std::collections::{BTreeSet, HashMap};

use crate::graph::ReasonId;

use super::names::{Names, Removal};
use super::sets::{Budget, Family, without_exit, without_way_to};
use super::ways::{Way, Ways};

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
    /// The graph has no way, whatever the risks.
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
    /// The risks on its own closed updates.
    pub risks: Vec<u32>,
    /// The smallest sets of risks that strand it.
    pub sets: Family,
    /// The risks of which the end of one alone would open a way.
    pub freed_by: Vec<u32>,
    /// Its own closed updates, newest target first.
    pub exits: Vec<Exit>,
    /// Whether that is certain: the release has no update which nobody can be sure of.
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

/// What is asked of a channel.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// The channel's own minor; without one, there is no such goal.
    pub minor: Option<(u64, u64)>,
    /// For each release of the channel, whether it is judged.
    pub is_judged: &'q [bool],
    /// Which risks are taken to affect a cluster.
    pub removal: &'q Removal,
    /// Sets of more risks than these are not looked for.
    pub largest_set: usize,
}

/// The judged releases of a channel that a removal strands, by release and goal.
#[must_use]
pub fn stranded(
    ways: &Ways,
    names: &Names,
    question: &Question<'_>,
    budget: &mut Budget,
) -> Vec<Stranded> {
    let removed = names.removed(question.removal);
    let open = names.open(&removed);
    let is_open = |way: &Way| open[way.reason.0 as usize];
    let is_open_without =
        |way: &Way, ended: u32| names.is_open_without(way.reason, &removed, ended);
    // Nothing newer is there for the newest.
    let head = (0..ways.len()).rev().find(|at| ways.is_general[*at]).unwrap_or(0);
    let is_judged = |at: &usize| ways.is_general[*at] && question.is_judged[*at];
    let judged: Vec<usize> = (0..head).filter(is_judged).collect();
    let mut found = Vec::new();

    let exits: Vec<bool> = ways.out.iter().map(|out| out.iter().any(is_open)).collect();
    if judged.iter().any(|at| !exits[*at]) {
        let sets = without_exit(ways, names, &removed, question.largest_set, budget);
        for at in judged.iter().filter(|at| !exits[**at]) {
            let cause = if ways.out[*at].is_empty() { Cause::Graph } else { Cause::Risks };
            let mut one = Stranded::new(ways, names, *at, Goal::Any, cause, &sets[*at], &is_open);
            let own = one.risks.clone();
            one.is_freed_by(&own, |risk| {
                let is_open = |way: &Way| is_open_without(way, risk);
                ways.out[*at].iter().any(is_open)
            });
            found.push(one);
        }
    }
    for (goal, targets, origins) in goals(ways, question.minor, &judged) {
        let is_goal = |at: usize| targets.binary_search(&at).is_ok();
        let reaches = ways.reaching(is_goal, is_open);
        if origins.iter().all(|at| reaches[*at]) {
            continue;
        }
        let could_reach = ways.reaching(is_goal, |_| true);
        let sets = without_way_to((ways, names), is_goal, &removed, question.largest_set, budget);
        // Whose end alone helps, closes by itself an update to where a way goes on.
        let closed = ways.out.iter().flatten().filter(|way| reaches[way.to as usize]);
        let last = closed.filter_map(|way| {
            let mut risks = names.risks(way.reason).iter().filter(|risk| removed[**risk as usize]);
            risks.next().filter(|_| risks.next().is_none()).copied()
        });
        let last: Vec<u32> = last.collect::<BTreeSet<u32>>().into_iter().collect();
        let mut without: HashMap<u32, Vec<bool>> = HashMap::new();
        for at in origins.into_iter().filter(|at| !reaches[*at]) {
            let cause = if could_reach[at] { Cause::Risks } else { Cause::Graph };
            let mut one = Stranded::new(ways, names, at, goal, cause, &sets[at], &is_open);
            one.is_freed_by(&last, |risk| {
                let is_open = |way: &Way| is_open_without(way, risk);
                without.entry(risk).or_insert_with(|| ways.reaching(is_goal, is_open))[at]
            });
            found.push(one);
        }
    }
    found.sort_by_key(|stranded| (stranded.release, stranded.goal));
    found
}

/// For each release of a channel, whether it is one to reach. Who can reach any other release at
/// all has an update, so that every release is.
pub(super) fn targets(
    ways: &Ways,
    goal: Goal,
    of_channel: Option<(u64, u64)>,
    own: (u64, u64),
) -> Vec<bool> {
    let newest = newest_of(ways, own);
    let is_target = |at: usize| match goal {
        Goal::Any => true,
        Goal::Patch => newest == Some(at),
        Goal::Minor => of_channel == Some(ways.minors[at]),
    };
    (0..ways.len()).map(is_target).collect()
}

/// The newest generally available release of a minor.
fn newest_of(ways: &Ways, minor: (u64, u64)) -> Option<usize> {
    (0..ways.len()).rev().find(|at| ways.is_general[*at] && ways.minors[*at] == minor)
}

/// The goals that need a way: for each, its targets, and the judged releases that it is for.
fn goals(
    ways: &Ways,
    minor: Option<(u64, u64)>,
    judged: &[usize],
) -> Vec<(Goal, Vec<usize>, Vec<usize>)> {
    let of = |minor: (u64, u64)| (0..ways.len()).filter(move |at| ways.minors[*at] == minor);
    let mut goals = Vec::new();
    for alike in judged.chunk_by(|a, b| ways.minors[*a] == ways.minors[*b]) {
        let newest = newest_of(ways, ways.minors[alike[0]]);
        let others = alike.iter().copied().filter(|at| Some(*at) != newest).collect();
        goals.push((Goal::Patch, newest.into_iter().collect(), others));
    }
    if let Some(minor) = minor {
        let others = judged.iter().copied().filter(|at| ways.minors[*at] != minor).collect();
        goals.push((Goal::Minor, of(minor).collect(), others));
    }
    goals
}

impl Stranded {
    /// Whether no cluster escapes: the graph itself strands it, or risks of which each affects
    /// every cluster.
    #[must_use]
    pub fn is_for_all(&self, names: &Names) -> bool {
        let is_always = |set: &Vec<u32>| set.iter().all(|risk| names.is_always(*risk));
        // Where sets were not looked for, the exits themselves still tell.
        let has_always = |exit: &Exit| exit.risks.iter().any(|risk| names.is_always(*risk));
        self.cause == Cause::Graph
            || self.sets.iter().any(is_always)
            || self.goal == Goal::Any && self.exits.iter().all(has_always)
    }

    fn new(
        ways: &Ways,
        names: &Names,
        release: usize,
        goal: Goal,
        cause: Cause,
        sets: &Family,
        is_open: &dyn Fn(&Way) -> bool,
    ) -> Self {
        let closed = ways.out[release].iter().filter(|way| !is_open(way));
        let exits = closed.map(|way| Exit {
            to: way.to as usize,
            risks: names.risks(way.reason).to_vec(),
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
        let is_certain = !ways.may_have_more[release];
        let freed_by = Vec::new();
        Self { release, goal, cause, risks, sets, freed_by, exits, is_certain }
    }

    /// Looks for the risks whose end alone would help. Such a one is in every set that strands.
    fn is_freed_by(&mut self, candidates: &[u32], mut would_help: impl FnMut(u32) -> bool) {
        let is_in_all = |risk: &u32| self.sets.iter().all(|set| set.contains(risk));
        let candidates = candidates.iter().copied().filter(is_in_all);
        self.freed_by = candidates.filter(|risk| would_help(*risk)).collect();
    }
}
