//! How a configuration gets more releases: oc-mirror has no list of releases, but ranges of channels.

use std::collections::BTreeSet;

use petgraph::graph::NodeIndex;

use crate::domain::channel_name::phase_rank;
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
                extended = extended.with_release(selector, version, &nodes)?;
            }
        }
        extended.simplify(selector, own, &mut is_enough);
        is_enough(&extended.selection.nodes).then_some(extended)
    }

    /// Joins and removes new entries where others are enough. `own` is the number of older entries.
    fn simplify(
        &mut self,
        selector: &Selector<'_>,
        own: usize,
        is_enough: &mut impl FnMut(&BTreeSet<NodeIndex>) -> bool,
    ) {
        let mut at = own + 1;
        while at < self.set.mirror.platform.channels.len() {
            let mut set = self.set.clone();
            let channels = &mut set.mirror.platform.channels;
            let removed = channels.remove(at);
            let joined = &channels[at - 1];
            channels[at - 1] = joined.with_range(&joined.min_version, &removed.max_version);
            if !self.becomes(selector, set, self.selection.nodes.len(), is_enough) {
                at += 1;
            }
        }
        // What oc-mirror adds for some entries may make others needless.
        for at in (own..self.set.mirror.platform.channels.len()).rev() {
            let mut set = self.set.clone();
            set.mirror.platform.channels.remove(at);
            self.becomes(selector, set, self.selection.nodes.len() - 1, is_enough);
        }
    }

    /// Takes another configuration if it is enough and mirrors at most so many releases.
    fn becomes(
        &mut self,
        selector: &Selector<'_>,
        set: ImageSet,
        most: usize,
        is_enough: &mut impl FnMut(&BTreeSet<NodeIndex>) -> bool,
    ) -> bool {
        let selection = selector.select(&set).ok();
        let selection = selection.filter(|one| one.nodes.len() <= most && is_enough(&one.nodes));
        let Some(selection) = selection else { return false };
        *self = Self { set, selection };
        true
    }

    /// With a new channel for one release, or a longer range of a channel.
    fn with_release(
        &self,
        selector: &Selector<'_>,
        version: &Version,
        nodes: &BTreeSet<NodeIndex>,
    ) -> Option<Self> {
        let graph = selector.graph;
        let text = version.to_string();
        let has = |name: &str| {
            let id = graph.channel(name);
            id.is_some_and(|id| nodes.iter().all(|node| graph.release(*node).is_in(id)))
        };
        let channels = &self.set.mirror.platform.channels;
        let mut trials: Vec<(bool, bool, usize, ImageSet)> = Vec::new();
        for name in graph.channels.iter().filter(|name| has(name)) {
            let mut set = self.set.clone();
            let own = channels.iter().position(|channel| channel.name == *name);
            match own {
                Some(at) => {
                    let archs = self.set.mirror.platform.archs().ok()?;
                    let longer = selector.longer(&channels[at], version, &archs);
                    set.mirror.platform.channels[at] = longer;
                }
                None => set.mirror.platform.channels.push(MirroredChannel::only(name, &text)),
            }
            let is_of_minor =
                ChannelName::parse(name).is_some_and(|it| it.minor == Minor::of(version));
            trials.push((own.is_some(), !is_of_minor, phase_rank(name), set));
        }
        let tried = trials.into_iter().filter_map(|(is_own, is_other_minor, rank, set)| {
            let selection = selector.select(&set).ok()?;
            let has_all = nodes.is_subset(&selection.nodes)
                && self.selection.nodes.is_subset(&selection.nodes);
            let cost = (selection.nodes.len(), is_own, is_other_minor, rank);
            has_all.then_some((cost, Self { set, selection }))
        });
        tried.min_by_key(|(cost, _)| *cost).map(|(_, extended)| extended)
    }
}

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
