//! How each installed operator affects the path of a cluster.

use std::collections::BTreeMap;

use crate::catalog::openshift_limit::OpenShiftLimit;
use crate::catalog::simulation::{Resolver, Why};
use crate::text::Failure;

use super::by_stage::MovesByStage;
use super::cluster::Installed;
use super::search::{Arrival, Search, SearchedPath, State, Step, steps};
use super::stage::Stage;

/// An installed operator on the path of a cluster.
#[derive(Debug)]
pub struct Verdict<'q> {
    pub installed: &'q Installed,
    /// None if no catalog has the package.
    pub package: Option<&'q str>,
    /// The limit of what is installed. None if it is unknown.
    pub limit: Option<&'q OpenShiftLimit>,
    /// The first stage at which the current install holds the cluster back.
    pub held_at: Option<usize>,
    /// The outcome for each channel that the operator may follow, or one for an unknown channel.
    /// There are no outcomes if the limit is unknown.
    pub outcomes: Vec<(Option<&'q str>, Outcome<'q>)>,
}

impl<'q> Verdict<'q> {
    /// The first stage after which the operator gets no more updates in any outcome. None if some
    /// channel still updates it, because a Subscription follows just one of them.
    pub fn lost(&self) -> Option<LostUpdates<'q>> {
        let mut losses = self.outcomes.iter().map(|(_, outcome)| {
            let (Outcome::Reached(steps) | Outcome::Stopped(Stop { steps, .. })) = outcome;
            steps.iter().find_map(|step| match step {
                Step::Cluster { stage, with, arrival } if arrival.loses_updates() => {
                    Some(LostUpdates { stage: *stage, arrival: *arrival, with })
                }
                _ => None,
            })
        });
        let first = losses.next()??;
        losses.all(|loss| loss.is_some()).then_some(first)
    }
}

/// An operator that gets no more updates.
#[derive(Clone, Copy, Debug)]
pub struct LostUpdates<'q> {
    /// The stage after which it gets none.
    pub stage: usize,
    /// What the next catalog has for it.
    pub arrival: Arrival<'q>,
    /// The entry that is installed then.
    pub with: &'q str,
}

#[derive(Clone, Debug)]
pub enum Outcome<'q> {
    /// The shortest list of steps with which the cluster reaches its goal.
    Reached(Vec<Step<'q>>),
    Stopped(Stop<'q>),
}

/// The end of a path that does not lead to the goal.
#[derive(Clone, Debug)]
pub struct Stop<'q> {
    /// The steps that lead as far as possible.
    pub steps: Vec<Step<'q>>,
    /// The stage that the cluster cannot leave.
    pub stage: usize,
    /// The last entry that the operator can be updated to.
    pub last: &'q str,
    pub limit: Option<&'q OpenShiftLimit>,
    pub ending: Ending<'q>,
    /// An entry of the channel that would let the cluster continue, but that no updates reach.
    pub unreached: Option<&'q str>,
    /// The steps to the goal if the Subscription may follow other channels.
    pub with_switch: Option<Vec<Step<'q>>>,
}

/// Why the operator gets no further updates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending<'q> {
    /// The catalog is not given.
    NoCatalog,
    NoPackage,
    NoChannel,
    /// No channel of any catalog has the install, or updates it.
    Unlisted,
    Head,
    Stuck(Why<'q>),
    /// The updates form a circle.
    Circle,
}

/// Checks operators on one path of minor versions.
#[derive(Clone, Copy, Debug)]
pub struct Bridge<'q> {
    pub stages: &'q [Stage<'q>],
    pub resolver: Resolver,
}

/// The most states that all searches of a run may visit.
const MOST_STATES: usize = 50_000_000;

impl<'q> Bridge<'q> {
    /// The verdicts, in the order of the installs. The error is the name of a channel that is too
    /// large.
    pub fn verdicts(self, installed: &'q [Installed]) -> Result<Vec<Verdict<'q>>, Failure> {
        let owners: Vec<Option<&'q str>> = installed.iter().map(|one| self.owner(one)).collect();
        let mut of_package: BTreeMap<&str, Vec<&'q Installed>> = BTreeMap::new();
        for (one, owner) in installed.iter().zip(&owners) {
            of_package.entry(owner.unwrap_or_default()).or_default().push(one);
        }
        let mut by_package: BTreeMap<&str, MovesByStage<'q>> = BTreeMap::new();
        for (package, installed) in of_package {
            let moves =
                MovesByStage::of(self.stages, package, installed.into_iter(), self.resolver);
            by_package.insert(package, moves.map_err(|channel| format!("channel {channel}"))?);
        }
        let mut left = MOST_STATES;
        let mut verdicts = Vec::new();
        for (one, owner) in installed.iter().zip(owners) {
            if let Some(by_stage) = by_package.get(owner.unwrap_or_default()) {
                let verdict = self.verdict(one, owner, by_stage, &mut left);
                verdicts.push(verdict.ok_or_else(|| "the catalog".to_owned())?);
            }
        }
        Ok(verdicts)
    }

    /// The package of an install: that of its Subscription, or else the first package with such a
    /// bundle.
    fn owner(self, installed: &Installed) -> Option<&'q str> {
        let packages = || self.stages.iter().filter_map(|stage| stage.packages).flatten();
        let found = match &installed.package {
            Some(name) => packages().find(|package| package.name == *name),
            None => packages().find(|package| package.bundle(&installed.name).is_some()),
        };
        found.map(|package| package.name.as_str())
    }

    fn verdict(
        self,
        installed: &'q Installed,
        package: Option<&'q str>,
        by_stage: &MovesByStage<'q>,
        left: &mut usize,
    ) -> Option<Verdict<'q>> {
        let in_catalogs = || {
            let mut packages = by_stage.packages.iter().flatten();
            packages.find_map(|package| package.bundle(&installed.name))?.limit.as_ref()
        };
        let limit = installed.limit.as_ref().or_else(in_catalogs);
        let mut verdict =
            Verdict { installed, package, limit, held_at: None, outcomes: Vec::new() };
        let Some(limit) = limit else { return Some(verdict) };
        let crossed = self.stages.split_last().map_or(&[][..], |(_, crossed)| crossed);
        verdict.held_at = crossed.iter().position(|stage| !limit.allows_updates_from(stage.minor));
        for channel in by_stage.possible_channels(installed) {
            let start = State { stage: 0, channel, name: &installed.name, catalog: None };
            verdict.outcomes.push((channel, outcome(by_stage, limit, start, left)?));
        }
        Some(verdict)
    }
}

/// The outcome for one channel. None if the search takes too long.
fn outcome<'q>(
    by_stage: &MovesByStage<'q>,
    limit: &'q OpenShiftLimit,
    start: State<'q>,
    left: &mut usize,
) -> Option<Outcome<'q>> {
    let search = Search { by_stage, limit: Some(limit), may_switch: false };
    let found = search.run(start, left).ok()?;
    if found.is_goal {
        return Some(Outcome::Reached(steps(by_stage, &found.states)));
    }
    let with_switch = Search { may_switch: true, ..search }.run(start, left).ok()?;
    let with_switch = with_switch.is_goal.then(|| steps(by_stage, &with_switch.states));
    let search = Search { by_stage, limit: Some(limit), may_switch: false };
    Some(Outcome::Stopped(stop(&search, &found, start, with_switch)))
}

fn stop<'q>(
    search: &Search<'q, '_>,
    found: &SearchedPath<'q>,
    start: State<'q>,
    with_switch: Option<Vec<Step<'q>>>,
) -> Stop<'q> {
    let by_stage = search.by_stage;
    let last = found.states.last().copied().unwrap_or(start);
    let stage = last.stage;
    let minor = by_stage.stages[stage].minor;
    let channel = by_stage.channel(stage, last.channel);
    let unreached = channel.and_then(|channel| {
        let allows = |name: &&str| {
            let bundle = channel.moves.package.bundle(name);
            let limit = bundle.and_then(|bundle| bundle.limit.as_ref());
            limit.is_some_and(|limit| limit.allows_updates_from(minor))
        };
        channel.moves.channel.entries.iter().map(|entry| entry.name.as_str()).find(allows)
    });
    Stop {
        steps: steps(by_stage, &found.states),
        stage,
        last: last.name,
        limit: search.limit(last),
        ending: ending(by_stage, last),
        unreached,
        with_switch,
    }
}

fn ending<'q>(by_stage: &MovesByStage<'q>, last: State<'q>) -> Ending<'q> {
    if by_stage.stages[last.stage].packages.is_none() {
        return Ending::NoCatalog;
    }
    if by_stage.packages[last.stage].is_none() {
        return Ending::NoPackage;
    }
    let Some(channel) = by_stage.channel(last.stage, last.channel) else {
        return if last.channel.is_some() { Ending::NoChannel } else { Ending::Unlisted };
    };
    let Some(node) = channel.node(last.name) else { return Ending::Stuck(Why::NoEdge) };
    if let Some(stuck) = channel.stuck().iter().find(|stuck| stuck.install == node) {
        return Ending::Stuck(stuck.why.clone());
    }
    if channel.moves.heads.contains(&node) && channel.moves.moves.next(node).is_empty() {
        Ending::Head
    } else {
        Ending::Circle
    }
}
