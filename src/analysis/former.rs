//! What releases had to reach before a change. A change that promotes a newer patch takes
//! nothing away from who could reach the patch that was newest before.

use std::collections::{BTreeMap, HashMap};

use crate::graph::{ChannelId, ServedByChannel, UpdateGraph};
use crate::version::Version;

use super::ways::Ways;

/// The newest patch of each minor before a change, by channel and architecture.
#[derive(Debug, Default)]
pub struct Former(HashMap<(String, String), BTreeMap<(u64, u64), Version>>);

impl Former {
    /// The newest patches of some channels.
    #[must_use]
    pub fn of(graph: &UpdateGraph, channels: &[ChannelId], architectures: &[&str]) -> Self {
        let mut newest = HashMap::new();
        for arch in architectures {
            let served = ServedByChannel::of(graph, arch);
            for channel in channels {
                let members = served.members(*channel).iter();
                let versions = members.map(|node| &graph.release(*node).version);
                let general = versions.filter(|version| version.pre.is_empty());
                let by_minor = general.map(|one| ((one.major, one.minor), one.clone()));
                let name = graph.channels[channel.0 as usize].clone();
                // Releases are in order, so that the newest of a minor stays.
                newest.insert((name, (*arch).to_owned()), by_minor.collect());
            }
        }
        Self(newest)
    }

    /// For each minor of a channel, the oldest release that is as new as the patch that was the
    /// newest.
    pub(super) fn oldest_patches(
        &self,
        channel: &str,
        arch: &str,
        ways: &Ways,
    ) -> BTreeMap<(u64, u64), usize> {
        let Some(newest) = self.0.get(&(channel.to_owned(), arch.to_owned())) else {
            return BTreeMap::new();
        };
        let place = |(minor, version): (&(u64, u64), &Version)| {
            let is_as_new = |at: &usize| {
                ways.is_general[*at]
                    && ways.minors[*at] == *minor
                    && ways.patches[*at] >= version.patch
            };
            (0..ways.len()).find(is_as_new).map(|at| (*minor, at))
        };
        newest.iter().filter_map(place).collect()
    }
}
