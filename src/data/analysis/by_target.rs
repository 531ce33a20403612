//! The updates of one channel by target, for searches from targets back to the releases that reach
//! them.

use crate::domain::{Arena, Buckets, HashSet, each_id};
use crate::graph::ReasonId;

use super::channel_graph::{ChannelGraph, ChannelUpdate, MemberId, Trust};

/// It is as large as the channel's graph, so keep it only during the searches.
pub(super) struct ByTarget<'c> {
    channel: &'c ChannelGraph,
    /// The origins of the updates to each release, with the reasons.
    origins: Buckets<MemberId, (MemberId, ReasonId)>,
}

impl<'c> ByTarget<'c> {
    pub(super) fn of(channel: &'c ChannelGraph) -> Self {
        let all = channel.out.entries();
        let by_target = all.flat_map(|(from, out)| {
            out.iter().map(move |update| (update.to, (from, update.reason)))
        });
        Self { channel, origins: Buckets::of(channel.members.len(), by_target) }
    }

    /// The origins of the updates to a release, with the reasons.
    pub(super) fn origins(&self, to: MemberId) -> &[(MemberId, ReasonId)] {
        self.origins.get(to)
    }

    /// For each release, whether it can reach a target over open updates.
    pub(super) fn reaching(
        &self,
        is_target: impl Fn(MemberId) -> bool,
        is_open: impl Fn(ChannelUpdate) -> bool,
    ) -> Arena<MemberId, bool> {
        self.reaching_with(Trust::Likely, is_target, is_open)
    }

    /// Like `reaching`, with a choice of which uncertain updates to use.
    pub(super) fn reaching_with(
        &self,
        trust: Trust,
        is_target: impl Fn(MemberId) -> bool,
        is_open: impl Fn(ChannelUpdate) -> bool,
    ) -> Arena<MemberId, bool> {
        let channel = self.channel;
        let members = &channel.members;
        let unlikely = channel.unlikely.iter().filter(|_| trust == Trust::Possible);
        let unlikely = Buckets::of(members.len(), unlikely.map(|(from, to)| (*to, *from)));
        let unknown_origins: HashSet<MemberId> =
            channel.unknown_origins.iter().copied().filter(|_| trust == Trust::Possible).collect();
        // All releases before this one already count as origins of a release with unknown origins.
        let mut known_before = MemberId::at(0);
        let mut reaches: Arena<MemberId, bool> = members.ids().map(is_target).collect();
        let mut next: Vec<MemberId> = members.ids().filter(|id| reaches[*id]).collect();
        while let Some(at) = next.pop() {
            if unknown_origins.contains(&at) {
                for older in each_id(known_before.min(at)..at) {
                    if !std::mem::replace(&mut reaches[older], true) {
                        next.push(older);
                    }
                }
                known_before = known_before.max(at);
            }
            for (from, reason) in self.origins.get(at) {
                let update = ChannelUpdate { to: at, reason: *reason };
                let is_used = || is_open(update) && channel.is_trusted(trust, *from, at);
                if !reaches[*from] && is_used() {
                    reaches[*from] = true;
                    next.push(*from);
                }
            }
            for from in unlikely.get(at) {
                if !std::mem::replace(&mut reaches[*from], true) {
                    next.push(*from);
                }
            }
        }
        reaches
    }

    /// For each release, the newest release that it can reach if no risk applies: of all, or of its
    /// own minor.
    pub(super) fn furthest(&self, is_within_minor: bool) -> Arena<MemberId, MemberId> {
        let members = &self.channel.members;
        let mut furthest: Arena<MemberId, Option<MemberId>> = Arena::filled(members.len(), None);
        for end in members.ids().rev() {
            let mut next = vec![end];
            while let Some(at) = next.pop() {
                if furthest[at].is_none() {
                    furthest[at] = Some(end);
                    let is_followed = |from: &MemberId| {
                        !is_within_minor || members[*from].minor == members[at].minor
                    };
                    let origins = self.origins.get(at).iter().map(|(from, _)| *from);
                    next.extend(origins.filter(is_followed));
                }
            }
        }
        let with_itself = members.ids().zip(furthest);
        with_itself.map(|(own, end)| end.unwrap_or(own)).collect()
    }
}
