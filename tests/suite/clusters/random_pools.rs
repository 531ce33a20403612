//! The simulation against the operator's whole `sync` after every moment, and against list
//! scheduling, on random small pools.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::pools::{
    Cluster, Drain, HOUR, MaxUnavailable, Node, Plan, Pool, PoolMember, Rollout, RunEnd,
    SplitMix64, Start, Time, What, sync,
};

use crate::clusters::mco_vectors::write;

const POOLS: usize = 6_000;

fn seed() -> u64 {
    std::env::var("EXITPATH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

struct Dice(SplitMix64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0.up_to(n - 1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn seconds(&mut self) -> u64 {
        let seconds = [0, 1, 2, 3, 5, 8, HOUR - 1, HOUR, HOUR + 1, 2 * HOUR];
        seconds[usize::try_from(self.below(10)).unwrap()]
    }

    fn member(&mut self, i: u64, nodes: u64, has_blocks: bool) -> PoolMember {
        let zones = [None, Some(""), Some("a"), Some("b"), Some("B")];
        let zone = zones[usize::try_from(self.below(5)).unwrap()].map(str::to_owned);
        let takes = Time::Fixed(self.seconds());
        let drain = match self.below(6) {
            0 if has_blocks => Drain::Never,
            1 | 2 if has_blocks => Drain::After(format!("n{}", self.below(nodes)), takes),
            _ => Drain::Takes(takes),
        };
        // A node is in one of these states at the start.
        let state = self.below(if has_blocks { 10 } else { 5 });
        PoolMember {
            start: match state {
                0 => Start::Updated,
                6 => Start::Begun,
                7 => Start::Failing,
                8 => Start::Unfinished,
                _ => Start::Waiting,
            },
            name: format!("n{i}"),
            zone,
            created: (!self.one_in(5)).then(|| i64::try_from(self.below(4)).unwrap()),
            is_unavailable: state == 9 || state == 7 && self.one_in(2),
            drain,
            reboot: Time::Fixed(self.seconds()),
        }
    }

    fn rollout(&mut self, has_blocks: bool) -> Rollout {
        let nodes = 1 + self.below(9);
        let max_unavailable = match self.below(4) {
            0 => None,
            1 => Some(MaxUnavailable::Text(format!("{}%", self.below(101)))),
            _ => Some(MaxUnavailable::Number(i64::try_from(self.below(nodes + 2)).unwrap())),
        };
        let pool = if self.one_in(2) { "master" } else { "worker" };
        Rollout {
            pool: pool.to_owned(),
            from: "old".to_owned(),
            to: "new".to_owned(),
            max_unavailable,
            operator_node: self.one_in(2).then(|| format!("n{}", self.below(nodes))),
            members: (0..nodes).map(|i| self.member(i, nodes, has_blocks)).collect(),
        }
    }
}

/// A cluster that a slow simulation changes, moment by moment, as daemons do.
struct Slow<'r> {
    rollout: &'r Rollout,
    cluster: Cluster,
    future: BTreeSet<(u64, u8, String)>,
    /// When it started what.
    chosen: BTreeMap<u64, BTreeSet<String>>,
    now: u64,
}

const BACK: u8 = 0;
const DRAINED: u8 = 1;
const FAILED: u8 = 2;

fn fixed(time: Time) -> u64 {
    match time {
        Time::Fixed(seconds) => seconds,
        Time::Between(..) => unreachable!(),
    }
}

impl<'r> Slow<'r> {
    fn of(rollout: &'r Rollout) -> Self {
        let labels = BTreeMap::from([("role".to_owned(), String::new())]);
        let node = |member: &PoolMember| {
            let zone = member.zone.clone();
            let zone = zone.map(|zone| ("topology.kubernetes.io/zone".to_owned(), zone));
            let (current, desired, state) = match member {
                PoolMember { start: Start::Updated, .. } => ("new", "new", "Done"),
                PoolMember { start: Start::Failing, .. } => ("old", "new", "Degraded"),
                PoolMember { start: Start::Begun, .. } => ("old", "new", "Working"),
                PoolMember { start: Start::Unfinished, .. } => ("older", "old", "Working"),
                _ => ("old", "old", "Done"),
            };
            Node {
                name: member.name.clone(),
                labels: labels.clone().into_iter().chain(zone).collect(),
                created: member.created,
                unschedulable: member.is_unavailable || member.start == Start::Begun,
                current_config: Some(current.to_owned()),
                desired_config: Some(desired.to_owned()),
                state: Some(state.to_owned()),
                ..Node::default()
            }
        };
        let pool = Pool {
            name: rollout.pool.clone(),
            node_selector: labels.clone(),
            max_unavailable: rollout.max_unavailable.clone(),
            target: "new".to_owned(),
            completed: "old".to_owned(),
            ..Pool::default()
        };
        let cluster = Cluster {
            pools: vec![pool],
            nodes: rollout.members.iter().map(node).collect(),
            operator_node: rollout.operator_node.clone(),
            ..Cluster::default()
        };
        let (future, chosen) = (BTreeSet::new(), BTreeMap::new());
        let mut slow = Self { rollout, cluster, future, chosen, now: 0 };
        for member in rollout.members.iter().filter(|member| member.start == Start::Begun) {
            slow.chosen.entry(0).or_default().insert(member.name.clone());
            slow.drain(0, &member.name);
            slow.future.insert((HOUR, FAILED, member.name.clone()));
        }
        slow.look(0);
        while let Some((time, ..)) = slow.future.first().cloned() {
            while slow.future.first().is_some_and(|next| next.0 == time) {
                let (_, what, name) = slow.future.pop_first().unwrap();
                slow.happen(time, what, &name);
            }
            slow.look(time);
        }
        slow
    }

    /// The whole `sync`, until it starts nothing more.
    fn look(&mut self, time: u64) {
        loop {
            let sync = sync(&self.cluster, &self.rollout.pool);
            assert_eq!(sync.error, None);
            write(&sync, &mut self.cluster);
            for choice in &sync.chosen {
                self.now = time;
                self.chosen.entry(time).or_default().insert(choice.node.clone());
                let node = self.node(&choice.node);
                (node.unschedulable, node.state) = (true, Some("Working".to_owned()));
                self.drain(time, &choice.node);
                self.future.insert((time + HOUR, FAILED, choice.node.clone()));
            }
            if sync.chosen.is_empty() {
                return;
            }
        }
    }

    fn drain(&mut self, time: u64, name: &str) {
        let member = self.rollout.members.iter().find(|member| member.name == name).unwrap();
        let takes = match &member.drain {
            Drain::Never => return,
            Drain::Takes(takes) => *takes,
            Drain::After(other, takes) => {
                let other = self.node(other);
                let is_back =
                    other.current_config.as_deref() == Some("new") && !other.unschedulable;
                if !is_back {
                    return;
                }
                *takes
            }
        };
        self.future.insert((time + fixed(takes), DRAINED, name.to_owned()));
    }

    fn happen(&mut self, time: u64, what: u8, name: &str) {
        let node = self.node(name);
        let is_draining = matches!(node.state.as_deref(), Some("Working" | "Degraded"));
        match what {
            FAILED if !is_draining => return,
            FAILED => node.state = Some("Degraded".to_owned()),
            DRAINED => {
                node.state = Some("Rebooting".to_owned());
                node.conditions.insert("Ready".to_owned(), "Unknown".to_owned());
                let members = &self.rollout.members;
                let reboot = members.iter().find(|member| member.name == name).unwrap().reboot;
                self.future.insert((time + fixed(reboot), BACK, name.to_owned()));
            }
            _ => {
                node.current_config.clone_from(&node.desired_config);
                (node.state, node.unschedulable) = (Some("Done".to_owned()), false);
                node.conditions.clear();
                self.unblock(time, name);
            }
        }
        self.now = time;
    }

    fn unblock(&mut self, time: u64, name: &str) {
        for member in self.rollout.members.iter().filter(|member| member.start != Start::Failing) {
            let node = self.node(&member.name);
            let is_told = node.desired_config.as_deref() == Some("new");
            let state = node.state.clone().filter(|_| is_told);
            if matches!(&member.drain, Drain::After(other, _) if other == name)
                && matches!(state.as_deref(), Some("Working" | "Degraded"))
            {
                self.drain(time, &member.name);
            }
        }
    }

    fn node(&mut self, name: &str) -> &mut Node {
        self.cluster.nodes.iter_mut().find(|node| node.name == name).unwrap()
    }

    fn is_updated(&self) -> bool {
        let is_updated = |node: &Node| node.is_updated_to("new") && node.is_ready();
        self.cluster.nodes.iter().all(is_updated)
    }
}

#[test]
fn the_simulation_chooses_what_sync_chooses_after_every_moment() {
    let mut dice = Dice(SplitMix64::new(seed()));
    let (mut compared, mut stuck) = (0, 0);
    while compared < POOLS {
        let rollout = dice.rollout(true);
        let Ok(plan) = Plan::of(&rollout) else { continue };
        compared += 1;
        let run = plan.run(Time::middle);
        let mut chosen: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for event in run.events.iter().filter(|event| event.what == What::Cordoned) {
            chosen.entry(event.time).or_default().insert(rollout.name(event.node).to_owned());
        }
        let slow = Slow::of(&rollout);
        assert_eq!(chosen, slow.chosen, "{rollout:#?}");
        match &run.end {
            RunEnd::Updated(time) => {
                assert!(slow.is_updated());
                assert_eq!(*time, slow.now, "{rollout:#?}");
            }
            RunEnd::Stuck(state) => {
                stuck += 1;
                assert!(!slow.is_updated());
                assert_eq!(state.since, slow.now, "{rollout:#?}");
                let ours = run.at(u64::MAX).counts();
                assert_eq!(ours, slow.cluster.pools[0].counts, "{rollout:#?}");
            }
        }
    }
    eprintln!("{compared} pools compared, of which {stuck} get stuck");
    assert!(stuck * 10 > compared && stuck * 10 < compared * 9);
}

/// List scheduling: each node in turn takes the slot that is free first.
fn makespan(rollout: &Rollout, slots: usize) -> u64 {
    let mut waiting: Vec<&PoolMember> =
        rollout.members.iter().filter(|m| m.start != Start::Updated).collect();
    waiting.sort_by_key(|member| {
        let is_last =
            rollout.pool == "master" && rollout.operator_node.as_ref() == Some(&member.name);
        (is_last, member.zone.is_none(), member.zone.clone(), member.created)
    });
    let mut free = vec![0; slots];
    for member in waiting {
        let Drain::Takes(drain) = member.drain else { unreachable!() };
        let first = free.iter_mut().min().unwrap();
        *first += fixed(drain) + fixed(member.reboot);
    }
    free.into_iter().max().unwrap()
}

#[test]
fn the_end_is_that_of_list_scheduling() {
    let mut dice = Dice(SplitMix64::new(seed()));
    let mut compared = 0;
    while compared < POOLS {
        let mut rollout = dice.rollout(false);
        // Longer drains are degraded, which takes slots away.
        for member in &mut rollout.members {
            member.drain = Drain::Takes(Time::Fixed(dice.below(HOUR)));
        }
        let Ok(plan) = Plan::of(&rollout) else { continue };
        compared += 1;
        let slots = usize::try_from(plan.max()).unwrap();
        assert_eq!(
            plan.run(Time::middle).end,
            RunEnd::Updated(makespan(&rollout, slots)),
            "{rollout:#?}"
        );
    }
}
