//! What releases had to reach before a change. If a change promotes a newer patch, releases that
//! can still reach the former newest patch are not newly stranded.

use std::collections::BTreeMap;

use crate::domain::{Arch, HashMap, Minor, Version, is_general};
use crate::graph::{ChannelId, ServedByChannel, UpdateGraph};

use super::channel_graph::{ChannelGraph, Member, MemberId};

/// The newest patch of each minor before a change, by channel and architecture.
#[derive(Debug, Default)]
pub struct FormerTargets(HashMap<(String, Arch), BTreeMap<Minor, Version>>);

impl FormerTargets {
    pub fn of(graph: &UpdateGraph, channels: &[ChannelId], architectures: &[Arch]) -> Self {
        let mut newest = HashMap::default();
        for arch in architectures {
            let served = ServedByChannel::of(graph, *arch);
            for channel in channels {
                let members = served.members(*channel).iter();
                let versions = members.map(|node| &graph.release(*node).version);
                let general = versions.filter(|version| is_general(version));
                let by_minor = general.map(|one| (Minor::of(one), one.clone()));
                let name = graph.channels[*channel].clone();
                // Releases are oldest first, so the map keeps the newest of each minor.
                newest.insert((name, *arch), by_minor.collect());
            }
        }
        Self(newest)
    }

    /// For each minor of a channel, the oldest release that is not older than the former newest
    /// patch.
    pub(super) fn oldest_patches(
        &self,
        name: &str,
        arch: Arch,
        channel: &ChannelGraph,
    ) -> BTreeMap<Minor, MemberId> {
        let Some(newest) = self.0.get(&(name.to_owned(), arch)) else {
            return BTreeMap::new();
        };
        let place = |(minor, version): (&Minor, &Version)| {
            let is_as_new = |(_, member): &(MemberId, &Member)| {
                member.is_general
                    && member.minor == *minor
                    && (member.patch.0, &member.patch.1) >= (version.patch, &version.pre)
            };
            channel.members.entries().find(is_as_new).map(|(at, _)| (*minor, at))
        };
        newest.iter().filter_map(place).collect()
    }
}
