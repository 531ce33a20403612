//! Runs an update, event by event.
//!
//! The real operator fills one slot at a time. After each time at which something happened, it
//! looks again until it starts no more nodes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::candidates::{capacity, defers_operator};
use super::event::{Event, HOUR, NodeStage, What};
use super::plan::Plan;
use super::rollout::{Drain, MemberId, Start, Time};
use super::stuck::{Stuck, waits};

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All nodes are updated and available after this many seconds.
    Updated(u64),
    Stuck(Stuck),
}

/// A complete run.
#[derive(Clone, Debug)]
pub struct Run<'p> {
    pub plan: &'p Plan<'p>,
    /// The events in order.
    pub events: Vec<Event>,
    pub end: RunEnd,
}

impl Plan<'_> {
    /// Runs the update. `takes` decides how long something takes: `Time::middle`, or
    /// `SplitMix64::draw`.
    pub fn run(&self, takes: impl FnMut(Time) -> u64) -> Run<'_> {
        let mut events = Vec::new();
        let end = self.simulate(takes, |event| events.push(event));
        Run { plan: self, events, end }
    }

    /// Runs the update, and returns only how it ends.
    pub(crate) fn end(&self, takes: impl FnMut(Time) -> u64) -> RunEnd {
        self.simulate(takes, |_| {})
    }

    /// Runs the update, and passes each event to `log`.
    pub(super) fn simulate(
        &self,
        takes: impl FnMut(Time) -> u64,
        log: impl FnMut(Event),
    ) -> RunEnd {
        let mut simulation = Simulation::of(self, takes, log);
        simulation.continue_begun();
        simulation.choose(0);
        while let Some(&Reverse(Event { time, .. })) = simulation.future.peek() {
            simulation.happen(time);
            simulation.choose(time);
        }
        let Simulation { stages, now, unavailable, failing, .. } = simulation;
        let waits = waits(self, &stages);
        if waits.is_empty() {
            return RunEnd::Updated(now);
        }
        RunEnd::Stuck(Stuck { since: now, waits, unavailable, failing })
    }
}

struct Simulation<'p, T, L> {
    plan: &'p Plan<'p>,
    takes: T,
    log: L,
    stages: Vec<NodeStage>,
    future: BinaryHeap<Reverse<Event>>,
    /// The nodes that have not started, the next one last.
    queue: Vec<MemberId>,
    /// The operator's own node, while it waits for the others.
    deferred: Option<MemberId>,
    unavailable: usize,
    failing: usize,
    now: u64,
}

impl<'p, T: FnMut(Time) -> u64, L: FnMut(Event)> Simulation<'p, T, L> {
    fn of(plan: &'p Plan<'p>, takes: T, log: L) -> Self {
        let members = &plan.rollout.members;
        let operator = plan.rollout.operator_node.as_deref();
        let is_operator = |id: &MemberId| operator == Some(plan.rollout.name(*id));
        let mut queue: Vec<MemberId> = plan.order.iter().rev().copied().collect();
        let deferred = queue.iter().copied().find(is_operator);
        let deferred = deferred.filter(|_| defers_operator(&plan.rollout.pool, queue.len()));
        queue.retain(|id| Some(*id) != deferred);
        Self {
            plan,
            takes,
            log,
            stages: members.iter().map(|member| NodeStage::start(member.start)).collect(),
            future: BinaryHeap::new(),
            queue,
            deferred,
            unavailable: members.iter().filter(|member| member.takes_a_slot()).count(),
            failing: members.iter().filter(|member| member.start == Start::Failing).count(),
            now: 0,
        }
    }

    /// Continues the updates that have already begun.
    fn continue_begun(&mut self) {
        for (node, member) in self.plan.rollout.entries() {
            if member.start == Start::Begun {
                self.enter(Event { time: 0, what: What::Cordoned, node });
            }
        }
    }

    /// Handles all events at this time.
    fn happen(&mut self, time: u64) {
        while let Some(&Reverse(event)) = self.future.peek()
            && event.time == time
        {
            self.future.pop();
            // If a drain ends in time, its failure event is still in the queue, and is ignored
            // here.
            if event.what != What::Degraded || self.stage(event.node) == Some(NodeStage::Draining) {
                self.enter(event);
            }
        }
    }

    /// Starts nodes, as the operator does, while slots are free. The operator's own node starts
    /// last.
    fn choose(&mut self, time: u64) {
        while capacity(self.plan.max, self.unavailable, self.failing) > 0
            && let Some(node) = self.queue.pop().or_else(|| self.deferred.take())
        {
            self.enter(Event { time, what: What::Cordoned, node });
        }
    }

    fn enter(&mut self, event: Event) {
        let Event { time, what, node } = event;
        let before = self.stage(node);
        if let Some(stage) = self.stages.get_mut(node.index()) {
            *stage = NodeStage::after(what);
        }
        self.now = time;
        (self.log)(event);
        self.failing -= usize::from(before == Some(NodeStage::Degraded));
        match what {
            What::Cordoned => {
                self.unavailable += usize::from(!self.plan.rollout.takes_a_slot(node));
                self.begin_drain(node, time);
            }
            What::Degraded => self.failing += 1,
            What::Drained => self.begin_reboot(node, time),
            What::Back => {
                self.unavailable -= 1;
                self.unblock(node, time);
            }
        }
    }

    fn begin_drain(&mut self, node: MemberId, time: u64) {
        let blocker = self.plan.blockers.get(node.index()).copied().flatten();
        let is_free = blocker.is_none_or(|blocker| self.is_back(blocker));
        let drains = if is_free { self.drain_time(node) } else { None };
        if let Some(takes) = drains {
            self.expect(time.saturating_add(takes), What::Drained, node);
        }
        if drains.is_none_or(|takes| takes > HOUR) {
            self.expect(time.saturating_add(HOUR), What::Degraded, node);
        }
    }

    fn begin_reboot(&mut self, node: MemberId, time: u64) {
        let member = self.plan.rollout.members.get(node.index());
        let takes = member.map_or(0, |member| (self.takes)(member.reboot));
        self.expect(time.saturating_add(takes), What::Back, node);
    }

    /// Continues the drains that waited for this node.
    fn unblock(&mut self, node: MemberId, time: u64) {
        let blocked = self.plan.blocked.get(node.index()).map_or(&[][..], Vec::as_slice);
        for waiting in blocked {
            if matches!(self.stage(*waiting), Some(NodeStage::Draining | NodeStage::Degraded))
                && let Some(takes) = self.drain_time(*waiting)
            {
                self.expect(time.saturating_add(takes), What::Drained, *waiting);
            }
        }
    }

    fn drain_time(&mut self, node: MemberId) -> Option<u64> {
        match &self.plan.rollout.members.get(node.index())?.drain {
            Drain::Takes(time) | Drain::After(_, time) => Some((self.takes)(*time)),
            Drain::Never => None,
        }
    }

    fn is_back(&self, node: MemberId) -> bool {
        let is_available = self
            .plan
            .rollout
            .members
            .get(node.index())
            .is_some_and(|member| !member.is_unavailable);
        is_available && self.stage(node) == Some(NodeStage::Updated)
    }

    fn stage(&self, node: MemberId) -> Option<NodeStage> {
        self.stages.get(node.index()).copied()
    }

    fn expect(&mut self, time: u64, what: What, node: MemberId) {
        self.future.push(Reverse(Event { time, what, node }));
    }
}
