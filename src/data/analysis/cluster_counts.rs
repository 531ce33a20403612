//! How many clusters run each release.

use crate::domain::HashMap;

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
        let Some(channels) = self.0.get(version) else { return 0 };
        let of = |name: &str| channels.get(name).copied().unwrap_or_default();
        of(channel).saturating_add(of(""))
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
