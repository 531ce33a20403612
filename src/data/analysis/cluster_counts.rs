//! How many clusters run each release.

use crate::domain::{Arch, HashMap, HashSet, Named};
use crate::graph::{UpdateGraph, without_arch};

/// How many clusters run each release in each channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClusterCounts(HashMap<String, HashMap<String, u64>>);

impl ClusterCounts {
    /// Adds clusters that run a release in a channel. An empty channel stands for all.
    pub(crate) fn add(&mut self, version: &str, channel: &str, clusters: u64) {
        let channels = self.0.entry(version.to_owned()).or_default();
        let known = channels.entry(channel.to_owned()).or_default();
        *known = known.saturating_add(clusters);
    }

    pub(crate) fn on(&self, version: &str, channel: &str) -> u64 {
        self.on_any(version, [channel])
    }

    /// How many clusters run a release in any of these channels, which must be different.
    pub(crate) fn on_any<'c>(
        &self,
        version: &str,
        channels: impl IntoIterator<Item = &'c str>,
    ) -> u64 {
        let Some(known) = self.0.get(version) else { return 0 };
        let of = |name: &str| known.get(name).copied().unwrap_or_default();
        channels.into_iter().map(of).chain([of("")]).fold(0, u64::saturating_add)
    }

    /// How many clusters run a release that is not in their channel.
    pub(crate) fn elsewhere(&self, graph: &UpdateGraph) -> u64 {
        let mut channels: HashMap<String, HashSet<&str>> = HashMap::default();
        for release in graph.graph.node_weights() {
            for arch in Arch::ALL.iter().filter(|arch| release.is_for(**arch)) {
                let names = release.channels.iter().map(|id| graph.channels[*id].as_str());
                let version = without_arch(release, *arch).into_owned();
                channels.entry(version).or_default().extend(names.chain([""]));
            }
        }
        let is_lost = |version: &str, channel: &str| {
            channels.get(version).is_none_or(|names| !names.contains(channel))
        };
        let all = self.0.iter().flat_map(|(version, of)| of.iter().map(move |one| (version, one)));
        let lost = all.filter(|(version, (channel, _))| is_lost(version, channel));
        lost.map(|(_, (_, count))| *count).fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::ClusterCounts;

    #[test]
    fn clusters_without_a_channel_count_in_each() {
        let mut clusters = ClusterCounts::default();
        clusters.add("4.18.1", "stable-4.18", 3);
        clusters.add("4.18.1", "stable-4.18", 4);
        clusters.add("4.18.1", "", 1);
        assert_eq!(clusters.on("4.18.1", "stable-4.18"), 8);
        assert_eq!(clusters.on("4.18.1", "fast-4.18"), 1);
        assert_eq!(clusters.on("4.18.2", "fast-4.18"), 0);
    }
}
