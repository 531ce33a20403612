//! A checked rollout, prepared once for any number of runs.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::{Turn, candidate_order};
use super::max_unavailable::max_unavailable;
use super::refusal::{Refusal, check_max};
use super::rollout::{Drain, MemberId, PoolMember, Rollout, Start, Time};

/// A rollout that can be simulated.
#[derive(Clone, Debug)]
pub struct Plan<'r> {
    pub(super) rollout: &'r Rollout,
    pub(super) max: i64,
    /// The nodes that can start, in the order in which they start.
    pub(super) order: Vec<MemberId>,
    /// For each node, the node that its drain waits for.
    pub(super) blockers: Vec<Option<MemberId>>,
    /// For each node, the nodes whose drains wait for it.
    pub(super) blocked: Vec<Vec<MemberId>>,
}

impl<'r> Plan<'r> {
    /// Prepares a rollout, or says why it cannot be simulated.
    pub fn of(rollout: &'r Rollout) -> Result<Self, Refusal> {
        let nodes = rollout.members.len();
        if nodes == 0 {
            return Err(Refusal::NoNodes { pool: rollout.pool.clone() });
        }
        let written = rollout.max_unavailable.as_ref();
        let max = max_unavailable(&rollout.pool, written, nodes).map_err(Refusal::Unreadable)?;
        check_max(&rollout.pool, written, max, nodes)?;
        rollout.members.iter().try_for_each(check_times)?;
        let blockers = blockers(rollout)?;
        check_circles(rollout, &blockers)?;
        let mut blocked = vec![Vec::new(); nodes];
        for ((id, _), blocker) in rollout.entries().zip(&blockers) {
            if let Some(waiting) = blocker.and_then(|blocker| blocked.get_mut(blocker.index())) {
                waiting.push(id);
            }
        }
        Ok(Self { rollout, max, order: order(rollout), blockers, blocked })
    }

    /// The rollout that is simulated.
    pub fn rollout(&self) -> &'r Rollout {
        self.rollout
    }

    /// Whether the times of two runs can differ.
    pub fn is_random(&self) -> bool {
        let is_range = |time: Time| matches!(time, Time::Between(least, most) if least < most);
        self.rollout.members.iter().filter(|member| member.start != Start::Updated).any(|member| {
            let drain = match &member.drain {
                Drain::Takes(time) | Drain::After(_, time) => Some(*time),
                Drain::Never => None,
            };
            drain.into_iter().chain([member.reboot]).any(is_range)
        })
    }

    /// How many nodes may be unavailable.
    pub fn max(&self) -> i64 {
        self.max
    }
}

fn order(rollout: &Rollout) -> Vec<MemberId> {
    let can_start = |member: &PoolMember| {
        !member.is_unavailable && matches!(member.start, Start::Waiting | Start::Unfinished)
    };
    let mut order: Vec<(MemberId, &PoolMember)> =
        rollout.entries().filter(|(_, member)| can_start(member)).collect();
    order.sort_by(|(_, one), (_, other)| candidate_order(turn(one), turn(other)));
    order.into_iter().map(|(id, _)| id).collect()
}

fn turn(member: &PoolMember) -> Turn<'_> {
    (member.zone.as_deref(), member.created)
}

fn check_times(member: &PoolMember) -> Result<(), Refusal> {
    let drain = match &member.drain {
        Drain::Takes(time) | Drain::After(_, time) => Some(*time),
        Drain::Never => None,
    };
    match drain.into_iter().chain([member.reboot]).find(|time| is_backwards(*time)) {
        Some(Time::Between(least, most)) => {
            Err(Refusal::Backwards { node: member.name.clone(), least, most })
        }
        _ => Ok(()),
    }
}

fn is_backwards(time: Time) -> bool {
    matches!(time, Time::Between(least, most) if least > most)
}

/// For each node, the node that its drain waits for.
fn blockers(rollout: &Rollout) -> Result<Vec<Option<MemberId>>, Refusal> {
    let mut ids = BTreeMap::new();
    for (id, member) in rollout.entries() {
        if ids.insert(member.name.as_str(), id).is_some() {
            return Err(Refusal::SameName { node: member.name.clone() });
        }
    }
    let blocker = |member: &PoolMember| match &member.drain {
        Drain::After(other, _) => ids.get(other.as_str()).copied().map(Some).ok_or_else(|| {
            Refusal::UnknownNode { node: member.name.clone(), waits_for: other.clone() }
        }),
        Drain::Takes(_) | Drain::Never => Ok(None),
    };
    rollout.members.iter().map(blocker).collect()
}

/// Refuses drains that wait in a circle. Only nodes that drain matter. Each waits for at most one
/// other node, so every walk ends, or returns to one of its own nodes.
fn check_circles(rollout: &Rollout, blockers: &[Option<MemberId>]) -> Result<(), Refusal> {
    let next = |id: MemberId| {
        let drains =
            rollout.members.get(id.index()).is_some_and(|member| member.start != Start::Updated);
        blockers.get(id.index()).copied().flatten().filter(|_| drains)
    };
    let mut known = BTreeSet::new();
    for (start, _) in rollout.entries() {
        let mut walk = Vec::new();
        let mut step = Some(start);
        while let Some(id) = step.filter(|id| known.insert(*id)) {
            walk.push(id);
            step = next(id);
        }
        if let Some(first) = step.and_then(|end| walk.iter().position(|id| *id == end)) {
            let circle = walk.iter().skip(first);
            let nodes = circle.map(|id| rollout.name(*id).to_owned()).collect();
            return Err(Refusal::Circle { nodes });
        }
    }
    Ok(())
}
