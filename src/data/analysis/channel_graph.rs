//! The graph of one channel, reduced to what searches need.

use std::cmp::Reverse;

use petgraph::visit::EdgeRef;
use semver::Prerelease;

use crate::domain::{Arena, Buckets, HashSet, Minor, each_id, ids, is_general};
use crate::graph::{Knowledge, NodeMap, ReasonId, Served};

use super::offered::Offered;
use super::risk_names::RiskNames;

ids! {
    /// A release of one [`ChannelGraph`]: its place in the channel, oldest first.
    MemberId;
}

/// The releases of a channel, and the updates between them that the service may offer to some
/// cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelGraph {
    /// The releases, oldest first.
    pub members: Arena<MemberId, Member>,
    /// The updates from each release, newest target first.
    pub out: Buckets<MemberId, ChannelUpdate>,
    /// Updates in `out` that may not exist.
    uncertain: HashSet<(MemberId, MemberId)>,
    /// Updates that probably do not exist. `out` does not contain them.
    pub(super) unlikely: HashSet<(MemberId, MemberId)>,
    /// Releases whose origins are unknown: every older release may have an update to them.
    pub(super) unknown_origins: Vec<MemberId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub version: String,
    /// Whether it is generally available: not a pre-release.
    pub is_general: bool,
    pub minor: Minor,
    /// What orders the releases of a minor.
    pub(super) patch: (u64, Prerelease),
}

impl Member {
    /// Orders the releases of a minor as [`by_age`](crate::domain::by_age) does.
    pub(super) fn age(&self) -> (u64, bool, &Prerelease) {
        (self.patch.0, self.is_general, &self.patch.1)
    }
}

/// An update of a channel. There are millions of them, so it has only the id of its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelUpdate {
    pub to: MemberId,
    pub reason: ReasonId,
}

/// Which updates a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Updates that certainly exist.
    Certain,
    /// Also updates that probably exist.
    Likely,
    /// Also updates that probably do not exist.
    Possible,
}

impl ChannelGraph {
    /// Builds the graph of one channel.
    pub fn of(served: &Served<'_>, names: &RiskNames) -> Self {
        let whole = served.whole;
        let nodes = &served.members;
        let members = nodes.iter().map(|node| {
            let version = &whole.release(*node).version;
            Member {
                version: served.version(*node).into_owned(),
                is_general: is_general(version),
                minor: Minor::of(version),
                patch: (version.patch, version.pre.clone()),
            }
        });
        let members: Arena<MemberId, Member> = members.collect();
        let places = NodeMap::of(nodes, members.ids());
        let offered = Offered::of(whole, names);
        let mut out: Buckets<MemberId, ChannelUpdate> = Buckets::default();
        let mut uncertain = HashSet::default();
        let mut newest_first: Vec<ChannelUpdate> = Vec::new();
        for (from, node) in members.ids().zip(nodes) {
            for update in whole.graph.edges(*node) {
                let (target, edge) = (update.target(), update.weight());
                let Some(to) = places.get(target) else { continue };
                if offered.holds(*node, target, edge.reason) {
                    newest_first.push(ChannelUpdate { to, reason: edge.reason });
                    if edge.knowledge == Knowledge::Uncertain {
                        uncertain.insert((from, to));
                    }
                }
            }
            newest_first.sort_by_key(|update| Reverse(update.to));
            newest_first.drain(..).for_each(|update| out.push(update));
            out.close();
        }
        out.shrink();
        let unlikely = members.ids().zip(nodes).flat_map(|(from, node)| {
            let targets = whole.unlikely_from(*node).filter_map(|to| places.get(to));
            targets.map(move |to| (from, to))
        });
        let unknown_origins = nodes.iter().filter(|node| !whole.release(**node).has_known_origins);
        Self {
            members,
            out,
            uncertain,
            unlikely: unlikely.collect(),
            unknown_origins: unknown_origins.filter_map(|node| places.get(*node)).collect(),
        }
    }

    /// The version of a release, as clusters see it.
    pub fn version(&self, member: MemberId) -> &str {
        &self.members[member].version
    }

    /// The newest release. There is nothing newer for it to reach.
    pub fn head(&self) -> Option<MemberId> {
        self.newest(|_| true)
    }

    pub(crate) fn newest_patch(&self, minor: Minor) -> Option<MemberId> {
        self.newest(|member| member.minor == minor)
    }

    /// Whether the newest patch of a release's minor is newer than the release. False for a
    /// pre-release whose patch is not in the channel yet.
    pub(super) fn has_newer_patch(&self, at: MemberId) -> bool {
        let member = &self.members[at];
        let newest = self.newest_patch(member.minor);
        newest.is_some_and(|newest| self.members[newest].age() > member.age())
    }

    /// The newest of some releases. A pre-release counts only if none is generally available.
    fn newest(&self, is_wanted: impl Fn(&Member) -> bool) -> Option<MemberId> {
        let mut wanted = self.members.entries().rev().filter(|(_, member)| is_wanted(member));
        let newest = wanted.clone().next();
        wanted.find(|(_, member)| member.is_general).or(newest).map(|(at, _)| at)
    }

    /// Whether the channel has something newer for a release to reach. It has nothing for its head,
    /// and for the pre-releases of a later minor than the head's.
    pub(crate) fn is_behind(&self, at: MemberId) -> bool {
        let head = self.head();
        head.is_some_and(|head| at != head && self.members[at].minor <= self.members[head].minor)
    }

    /// The number of releases and updates.
    pub(super) fn size(&self) -> usize {
        self.members.len() + self.out.items().len()
    }

    /// Whether the existence of some updates is uncertain.
    pub(super) fn has_doubts(&self) -> bool {
        !(self.uncertain.is_empty() && self.unlikely.is_empty() && self.unknown_origins.is_empty())
    }

    /// For each release, whether it has an open update, with a choice of which uncertain updates to
    /// use.
    pub(super) fn leaving_with(
        &self,
        trust: Trust,
        is_open: impl Fn(ChannelUpdate) -> bool,
    ) -> Arena<MemberId, bool> {
        let leaves = |(from, out): (MemberId, &[ChannelUpdate])| {
            out.iter().any(|update| is_open(*update) && self.is_trusted(trust, from, update.to))
        };
        let mut leaving: Arena<MemberId, bool> = self.out.entries().map(leaves).collect();
        if trust == Trust::Possible {
            for (from, _) in &self.unlikely {
                leaving[*from] = true;
            }
            if let Some(newest) = self.unknown_origins.last() {
                each_id(MemberId::at(0)..*newest).for_each(|older| leaving[older] = true);
            }
        }
        leaving
    }

    pub(super) fn is_trusted(&self, trust: Trust, from: MemberId, to: MemberId) -> bool {
        trust != Trust::Certain || !self.uncertain.contains(&(from, to))
    }
}
