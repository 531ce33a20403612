//! Searches for the fewest updates of an operator with which a cluster gets to its goal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::catalog::openshift_limit::OpenShiftLimit;
use crate::domain::HashSet;

use super::by_stage::MovesByStage;

/// An install on a cluster of a minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State<'q> {
    pub(super) stage: usize,
    /// The channel that the Subscription follows. None if it is unknown.
    pub(super) channel: Option<&'q str>,
    pub(super) name: &'q str,
    /// The stage whose catalog it was installed from. None if it was there from the start: catalogs
    /// do not change what is already installed.
    pub(super) catalog: Option<usize>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<'q> {
    /// Make the Subscription follow another channel.
    Switch {
        stage: usize,
        from: &'q str,
        to: &'q str,
    },
    Update {
        stage: usize,
        from: &'q str,
        to: &'q str,
    },
    /// Update the cluster from this stage to the next one.
    Cluster {
        stage: usize,
        with: &'q str,
        arrival: Arrival<'q>,
    },
}

/// What the catalog of the next minor version has for an install after the update of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival<'q> {
    /// The catalog is not given.
    NoCatalog,
    NoPackage,
    NoChannel,
    Entry,
    /// The channel does not have the install, but has an update from it to this entry.
    UpdatedTo(&'q str),
    /// The channel has neither the install nor an update from it.
    NoUpdate,
}

impl Arrival<'_> {
    /// Whether the catalog has no update for the install.
    pub fn loses_updates(self) -> bool {
        matches!(self, Self::NoPackage | Self::NoChannel | Self::NoUpdate)
    }
}

/// The states of the path, and whether they end at the goal.
pub(super) struct SearchedPath<'q> {
    pub(super) states: Vec<State<'q>>,
    pub(super) is_goal: bool,
}

/// The searches visit more states than those through any real catalogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

pub(super) struct Search<'q, 'w> {
    pub(super) by_stage: &'w MovesByStage<'q>,
    /// The limit of what is installed at the start. None if it is unknown.
    pub(super) limit: Option<&'q OpenShiftLimit>,
    pub(super) may_switch: bool,
}

impl<'q> Search<'q, '_> {
    /// The path with the fewest switches of the channel and, among these, the fewest updates. If no
    /// path reaches the goal, one that goes as far as possible.
    pub(super) fn run(
        &self,
        start: State<'q>,
        left: &mut usize,
    ) -> Result<SearchedPath<'q>, TooMany> {
        let mut seen: Vec<(State<'q>, usize)> = vec![(start, 0)];
        let mut open = BinaryHeap::from([Reverse(((0, 0), 0))]);
        let mut settled: HashSet<State<'q>> = HashSet::default();
        let mut furthest = 0;
        while let Some(Reverse(((switches, updates), place))) = open.pop() {
            let (state, _) = seen[place];
            if !settled.insert(state) {
                continue;
            }
            if state.stage >= seen[furthest].0.stage {
                furthest = place;
            }
            if state.stage + 1 >= self.by_stage.stages.len() {
                return Ok(SearchedPath { states: traced(&seen, place), is_goal: true });
            }
            for (next, (more_switches, more_updates)) in self.next(state) {
                *left = left.checked_sub(1).ok_or(TooMany)?;
                let cost = (switches + more_switches, updates + more_updates);
                open.push(Reverse((cost, seen.len())));
                seen.push((next, place));
            }
        }
        Ok(SearchedPath { states: traced(&seen, furthest), is_goal: false })
    }

    /// The next states, each with its cost in switches and updates.
    fn next(&self, state: State<'q>) -> Vec<(State<'q>, (usize, usize))> {
        let mut next = Vec::new();
        if self.allows(state) {
            next.push((State { stage: state.stage + 1, ..state }, (0, 0)));
        }
        if let Some(channel) = self.by_stage.channel(state.stage, state.channel) {
            let catalog = Some(state.stage);
            let targets = channel.next(state.name).into_iter();
            next.extend(targets.map(|name| (State { name, catalog, ..state }, (0, 1))));
        }
        if self.may_switch {
            let channels = self.by_stage.channels_from(state.stage, state.name).into_iter();
            let others = channels.map(Some).filter(|channel| *channel != state.channel);
            next.extend(others.map(|channel| (State { channel, ..state }, (1, 0))));
        }
        next
    }

    /// The limit of the install in this state. None if it is unknown.
    pub(super) fn limit(&self, state: State<'q>) -> Option<&'q OpenShiftLimit> {
        let Some(origin) = state.catalog else { return self.limit };
        let package = self.by_stage.packages.get(origin).copied().flatten();
        package.and_then(|package| package.bundle(state.name)?.limit.as_ref())
    }

    fn allows(&self, state: State<'q>) -> bool {
        let minor = self.by_stage.stages[state.stage].minor;
        self.limit(state).is_some_and(|limit| limit.allows_updates_from(minor))
    }
}

fn traced<'q>(seen: &[(State<'q>, usize)], place: usize) -> Vec<State<'q>> {
    let mut states = Vec::new();
    let mut at = place;
    loop {
        let (state, before) = seen[at];
        states.push(state);
        if at == 0 {
            break;
        }
        at = before;
    }
    states.reverse();
    states
}

/// The steps between the states of a path.
pub(super) fn steps<'q>(by_stage: &MovesByStage<'q>, states: &[State<'q>]) -> Vec<Step<'q>> {
    let step = |pair: &[State<'q>]| {
        let &[from, to] = pair else { return None };
        let stage = from.stage;
        Some(if to.stage != from.stage {
            Step::Cluster { stage, with: to.name, arrival: arrival(by_stage, to) }
        } else if let (Some(from), Some(to)) = (from.channel, to.channel)
            && from != to
        {
            Step::Switch { stage, from, to }
        } else {
            Step::Update { stage, from: from.name, to: to.name }
        })
    };
    states.windows(2).filter_map(step).collect()
}

fn arrival<'q>(by_stage: &MovesByStage<'q>, state: State<'q>) -> Arrival<'q> {
    if by_stage.stages[state.stage].packages.is_none() {
        return Arrival::NoCatalog;
    }
    if by_stage.packages[state.stage].is_none() {
        return Arrival::NoPackage;
    }
    match by_stage.channel(state.stage, state.channel) {
        None if state.channel.is_none() => Arrival::NoUpdate,
        None => Arrival::NoChannel,
        Some(channel) if channel.has_entry(state.name) => Arrival::Entry,
        Some(channel) => channel
            .next(state.name)
            .first()
            .map_or(Arrival::NoUpdate, |next| Arrival::UpdatedTo(next)),
    }
}
