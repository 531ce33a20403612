//! Finds the closed updates nearest to a stranded release. If one of them opens, there may be a
//! path.

use std::cmp::Reverse;
use std::collections::VecDeque;

use petgraph::graph::NodeIndex;

use crate::domain::{Arena, HashMap, HashSet, Minor};
use crate::graph::{ReasonId, Served};

use super::by_target::ByTarget;
use super::channel_graph::{ChannelGraph, ChannelUpdate, MemberId};
use super::simulation::{SimulatedChannel, Simulation};
use super::stranded::{Aim, Goal};

/// A closed update that a stranded release can get to, with a path from its target to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NearExit {
    pub from: MemberId,
    pub to: MemberId,
    pub reason: ReasonId,
}

/// The closed updates of a channel whose targets have a path to a goal, if risks are ignored.
#[derive(Debug)]
pub(crate) struct NearExits<'s> {
    channel: &'s ChannelGraph,
    is_open: Arena<ReasonId, bool>,
    /// For each release, its exits, each with whether the path from the exit's target is open.
    from: Arena<MemberId, Vec<(bool, NearExit)>>,
}

impl<'s> NearExits<'s> {
    /// The exits of a channel for a goal. For the goal `patch`, `own` is the minor.
    pub(crate) fn of(
        simulation: &Simulation<'_>,
        found: &'s SimulatedChannel,
        goal: Goal,
        own: Minor,
    ) -> Self {
        let channel = &found.graph;
        let is_open = simulation.names.open(&simulation.names.affecting(&simulation.affecting));
        let from = Arena::filled(channel.members.len(), Vec::new());
        let mut exits = Self { channel, is_open, from };
        let Some(arch) = found.architectures.iter().next() else { return exits };
        let served = Served::of(simulation.graph, found.channel, arch);
        let aim = Aim::of(goal, own);
        let targets = found.targets.of(channel, aim.goal, aim.minor);
        let by_target = ByTarget::of(channel);
        let reaches = by_target.reaching(|at| targets[at], |update| exits.is_open(update));
        let reaches_unaffected = by_target.reaching(|at| targets[at], |_| true);
        let places: HashMap<NodeIndex, MemberId> =
            served.members.iter().copied().zip(channel.members.ids()).collect();
        let all = channel.out.entries();
        let open = all.flat_map(|(from, out)| out.iter().map(move |update| (from, *update)));
        let open = open.filter(|(_, update)| exits.is_open(*update));
        let open: HashSet<(MemberId, MemberId)> =
            open.map(|(from, update)| (from, update.to)).collect();
        for update in served.updates() {
            let (from, to) = (places[&update.from], places[&update.to]);
            if reaches_unaffected[to] && !open.contains(&(from, to)) {
                let exit = NearExit { from, to, reason: update.edge.reason };
                exits.from[from].push((reaches[to], exit));
            }
        }
        exits
    }

    /// The exits that a stranded release can get to. Exits with an open path from their target come
    /// first, then those that are the fewest updates away, then those with the newest targets.
    pub(crate) fn near(&self, release: MemberId) -> Vec<NearExit> {
        let mut hops: HashMap<MemberId, usize> = HashMap::from_iter([(release, 0)]);
        let mut next = VecDeque::from([release]);
        let mut found = Vec::new();
        while let Some(at) = next.pop_front() {
            let so_far = hops[&at];
            let exits = self.from[at].iter();
            found.extend(exits.map(|(leads_on, exit)| (!leads_on, so_far, Reverse(exit.to), exit)));
            for update in self.channel.out.get(at).iter().filter(|update| self.is_open(**update)) {
                hops.entry(update.to).or_insert_with(|| {
                    next.push_back(update.to);
                    so_far + 1
                });
            }
        }
        found.sort_by_key(|(is_shut, hops, to, exit)| (*is_shut, *hops, *to, exit.from));
        found.into_iter().map(|(.., exit)| *exit).collect()
    }

    fn is_open(&self, update: ChannelUpdate) -> bool {
        self.is_open[update.reason]
    }
}
