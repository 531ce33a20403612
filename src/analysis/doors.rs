//! The closed updates nearest to a stranded release: where a way would open.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

use petgraph::graph::NodeIndex;

use crate::graph::{ReasonId, Served};

use super::exits::Goal;
use super::simulation::{Simulated, Simulation};
use super::ways::{Way, Ways};

/// A closed update that a stranded release can come to, and would leave by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    /// The place of the release that it leads from.
    pub from: usize,
    /// The place of the release that it leads to.
    pub to: usize,
    /// Why it is closed.
    pub reason: ReasonId,
}

/// The closed updates of a channel behind which there are ways to a goal.
#[derive(Debug)]
pub struct Doors<'s> {
    ways: &'s Ways,
    /// For each reason, whether its updates are open.
    is_open: Vec<bool>,
    /// For each release, the doors that lead from it, and whether the way behind each is free.
    from: Vec<Vec<(bool, Door)>>,
}

impl<'s> Doors<'s> {
    /// The doors of a channel for a goal: `patch` is that of a minor.
    #[must_use]
    pub fn of(
        simulation: &Simulation<'_>,
        channel: &'s Simulated,
        goal: Goal,
        minor: (u64, u64),
    ) -> Self {
        let ways = &channel.ways;
        let is_open = simulation.names.open(&simulation.names.removed(&simulation.removal));
        let mut doors = Self { ways, is_open, from: vec![Vec::new(); ways.len()] };
        let Some(arch) = channel.architectures.first() else { return doors };
        let served = Served::of(simulation.graph, channel.channel, arch);
        let goals = channel.targets.of(ways, goal, minor);
        let reaches = ways.reaching(|at| goals[at], |way| doors.is_open(*way));
        let could = ways.reaching(|at| goals[at], |_| true);
        let places: HashMap<NodeIndex, usize> = served.members.iter().copied().zip(0..).collect();
        let all = ways.out.iter().enumerate();
        let open = all.flat_map(|(from, out)| out.iter().map(move |way| (from, *way)));
        let open = open.filter(|(_, way)| doors.is_open(*way));
        let open: HashSet<(usize, usize)> =
            open.map(|(from, way)| (from, way.to as usize)).collect();
        for update in served.updates() {
            let (from, to) = (places[&update.from], places[&update.to]);
            if could[to] && !open.contains(&(from, to)) {
                let door = Door { from, to, reason: update.edge.reason };
                doors.from[from].push((reaches[to], door));
            }
        }
        doors
    }

    /// The doors that a stranded release can come to: first those behind which the way is free,
    /// among them those that are fewest updates away, among them the newest.
    #[must_use]
    pub fn near(&self, release: usize) -> Vec<Door> {
        let mut hops: HashMap<usize, usize> = HashMap::from([(release, 0)]);
        let mut next = VecDeque::from([release]);
        let mut found = Vec::new();
        while let Some(at) = next.pop_front() {
            let so_far = hops[&at];
            let doors = self.from[at].iter();
            found.extend(doors.map(|(is_free, door)| (!is_free, so_far, Reverse(door.to), door)));
            for way in self.ways.out[at].iter().filter(|way| self.is_open(**way)) {
                hops.entry(way.to as usize).or_insert_with(|| {
                    next.push_back(way.to as usize);
                    so_far + 1
                });
            }
        }
        found.sort_by_key(|(is_shut, hops, to, door)| (*is_shut, *hops, *to, door.from));
        found.into_iter().map(|(.., door)| *door).collect()
    }

    fn is_open(&self, way: Way) -> bool {
        self.is_open[way.reason.0 as usize]
    }
}
