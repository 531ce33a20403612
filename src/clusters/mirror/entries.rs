//! How a configuration gets more releases: oc-mirror has no list of releases, but ranges of
//! channels.

use std::collections::BTreeSet;

use petgraph::graph::NodeIndex;

use crate::domain::channel_name::{self, phase_rank};
use crate::domain::{Arch, ChannelName, Minor, Version, version};

use super::config::{ImageSet, MirroredChannel};
use super::selection::{Selection, Selector};

/// A configuration with more releases.
#[derive(Clone, Debug)]
pub(super) struct Extended {
    pub(super) set: ImageSet,
    pub(super) selection: Selection,
}

impl Extended {
    /// The configuration with all `needed` releases, or with others that are enough, and as few as
    /// possible. None if no channel has one of them, or if oc-mirror would fail.
    pub(super) fn with(
        selector: &Selector<'_>,
        set: &ImageSet,
        archs: &[Arch],
        needed: &[Version],
        mut is_enough: impl FnMut(&BTreeSet<NodeIndex>) -> bool,
    ) -> Option<Self> {
        let mut set = set.clone();
        set.mirror.platform.add_archs(archs);
        let own = set.mirror.platform.channels.len();
        let selection = selector.select(&set).ok()?;
        let mut extended = Self { set, selection };
        for version in needed {
            let nodes = nodes(selector, &extended.set, version)?;
            if !nodes.is_subset(&extended.selection.nodes) {
                extended = extended.with_release(selector, version, own, &nodes)?;
            }
        }
        // What oc-mirror adds for some entries may make others needless.
        for at in (own..extended.set.mirror.platform.channels.len()).rev() {
            let mut set = extended.set.clone();
            set.mirror.platform.channels.remove(at);
            if let Ok(selection) = selector.select(&set)
                && selection.nodes.len() <= extended.selection.nodes.len()
                && is_enough(&selection.nodes)
            {
                extended = Self { set, selection };
            }
        }
        is_enough(&extended.selection.nodes).then_some(extended)
    }

    /// With a longer range of a channel, or a new channel for one release. `own` is the number of
    /// older entries.
    fn with_release(
        &self,
        selector: &Selector<'_>,
        version: &Version,
        own: usize,
        nodes: &BTreeSet<NodeIndex>,
    ) -> Option<Self> {
        let graph = selector.graph;
        let text = version.to_string();
        let has = |name: &str| {
            let id = graph.channel(name);
            id.is_some_and(|id| nodes.iter().all(|node| graph.release(*node).is_in(id)))
        };
        let channels = &self.set.mirror.platform.channels;
        let mut trials: Vec<(Preference, bool, ImageSet)> = Vec::new();
        for name in graph.channels.iter().filter(|name| has(name)) {
            let mut set = self.set.clone();
            let own_entry = channels.iter().position(|one| one.name == *name);
            let (change, is_of_minor) = if let Some(at) = own_entry {
                let archs = self.set.mirror.platform.archs().ok()?;
                let longer = selector.longer(&channels[at], version, &archs);
                set.mirror.platform.channels[at] = longer;
                (if at < own { Change::Older } else { Change::Longer }, true)
            } else {
                set.mirror.platform.channels.push(MirroredChannel::only(name, &text));
                let minor = ChannelName::parse(name).map(|name| name.minor);
                (Change::New, minor == Some(Minor::of(version)))
            };
            let is_advised = change != Change::New || channel_name::is_advised(name);
            trials.push(((change, !is_of_minor, phase_rank(name)), !is_advised, set));
        }
        // Candidate channels lead to releases that are not out yet.
        let tried = trials.into_iter().filter_map(|(preference, is_candidate, set)| {
            let selection = selector.select(&set).ok()?;
            let has_all = nodes.is_subset(&selection.nodes)
                && self.selection.nodes.is_subset(&selection.nodes);
            let cost = (is_candidate, selection.nodes.len(), preference);
            has_all.then_some((cost, Self { set, selection }))
        });
        tried.min_by_key(|(cost, _)| *cost).map(|(_, extended)| extended)
    }
}

/// How a change of the entries brings a release, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// By a longer range of a new entry.
    Longer,
    New,
    /// By a longer range of an entry that was there before.
    Older,
}

/// Of changes with equally many releases, the least wins: a change, whether the channel is of
/// another minor version, and its phase.
type Preference = (Change, bool, usize);

/// The release with a version for each mirrored architecture that has it.
fn nodes(selector: &Selector<'_>, set: &ImageSet, wanted: &Version) -> Option<BTreeSet<NodeIndex>> {
    let archs = set.mirror.platform.archs().ok()?;
    let graph = selector.graph;
    let nodes = graph.graph.node_indices().filter(|node| {
        let release = graph.release(*node);
        !release.is_abstract
            && version::without_build(&release.version) == *wanted
            && archs.iter().any(|arch| release.is_for(*arch))
    });
    Some(nodes.collect()).filter(|nodes: &BTreeSet<NodeIndex>| !nodes.is_empty())
}
