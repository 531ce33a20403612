//! Where the installs of a package move, in each channel of the catalog of each minor version.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::catalog::Package;
use crate::catalog::package::CatalogChannel;
use crate::catalog::simulation::{ChannelMoves, Install, Resolver, Stuck};
use crate::catalog::version::BundleVersion;
use crate::domain::{HashMap, HashSet};
use crate::moves::NodeId;

use super::cluster::Installed;
use super::stage::Stage;

#[derive(Debug)]
pub(super) struct MovesByStage<'q> {
    pub(super) stages: &'q [Stage<'q>],
    pub(super) packages: Vec<Option<&'q Package>>,
    channels: Vec<BTreeMap<&'q str, StageChannel<'q>>>,
}

#[derive(Debug)]
pub(super) struct StageChannel<'q> {
    pub(super) moves: ChannelMoves<'q>,
    nodes: HashMap<&'q str, NodeId>,
    stuck: OnceCell<Vec<Stuck<'q>>>,
}

type Versions<'q> = BTreeMap<&'q str, Option<&'q BundleVersion>>;

impl<'q> MovesByStage<'q> {
    /// The moves of these installs. The error is the name of a channel that is too large.
    pub(super) fn of(
        stages: &'q [Stage<'q>],
        package: &str,
        installed: impl Iterator<Item = &'q Installed>,
        resolver: Resolver,
    ) -> Result<Self, &'q str> {
        let packages: Vec<_> = stages.iter().map(|stage| stage.package(package)).collect();
        let mut known: Versions<'q> =
            installed.map(|one| (one.name.as_str(), one.version.as_ref())).collect();
        let mut channels = Vec::new();
        for package in &packages {
            let Some(package) = package else {
                channels.push(BTreeMap::new());
                continue;
            };
            for bundle in &package.bundles {
                let version = known.entry(&bundle.name).or_default();
                *version = version.or(bundle.version.as_ref());
            }
            let moves = package.channels.iter().map(|channel| {
                let moves = StageChannel::of(package, channel, &known, resolver);
                Ok((channel.name.as_str(), moves.ok_or(channel.name.as_str())?))
            });
            channels.push(moves.collect::<Result<_, &str>>()?);
        }
        Ok(Self { stages, packages, channels })
    }

    pub(super) fn channel(&self, stage: usize, name: Option<&str>) -> Option<&StageChannel<'q>> {
        self.channels.get(stage)?.get(name?)
    }

    /// The channels that the Subscription of an install may follow. Only None if no Subscription is
    /// known, and no catalog has a channel for the install.
    pub(super) fn possible_channels(&self, installed: &'q Installed) -> Vec<Option<&'q str>> {
        if let Some(channel) = &installed.channel {
            return vec![Some(channel)];
        }
        let stages = 0..self.stages.len();
        let mut known = stages.map(|stage| self.channels_with(stage, &installed.name));
        match known.find(|channels| !channels.is_empty()) {
            Some(channels) => channels.into_iter().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The channels that have an install as an entry or, if none does, those that update it.
    fn channels_with(&self, stage: usize, name: &str) -> Vec<&'q str> {
        let entries = self.channels_where(stage, |channel| channel.has_entry(name));
        if entries.is_empty() { self.channels_from(stage, name) } else { entries }
    }

    /// The channels that update an install.
    pub(super) fn channels_from(&self, stage: usize, name: &str) -> Vec<&'q str> {
        self.channels_where(stage, |channel| !channel.next(name).is_empty())
    }

    fn channels_where(
        &self,
        stage: usize,
        is_wanted: impl Fn(&StageChannel<'q>) -> bool,
    ) -> Vec<&'q str> {
        let channels = self.channels.get(stage).into_iter().flatten();
        channels.filter(|(_, channel)| is_wanted(channel)).map(|(name, _)| *name).collect()
    }
}

impl<'q> StageChannel<'q> {
    fn of(
        package: &'q Package,
        channel: &'q CatalogChannel,
        known: &Versions<'q>,
        resolver: Resolver,
    ) -> Option<Self> {
        let entries: HashSet<&str> =
            channel.entries.iter().map(|entry| entry.name.as_str()).collect();
        let others = known.iter().filter(|(name, _)| !entries.contains(*name));
        let others: Vec<Install<'q>> = others
            .map(|(name, version)| Install { name, version: *version, is_entry: false })
            .collect();
        let moves = ChannelMoves::of(package, channel, &others, resolver).ok()?;
        let nodes = moves.installs.entries().map(|(node, install)| (install.name, node)).collect();
        Some(Self { moves, nodes, stuck: OnceCell::new() })
    }

    pub(super) fn node(&self, name: &str) -> Option<NodeId> {
        self.nodes.get(name).copied()
    }

    pub(super) fn has_entry(&self, name: &str) -> bool {
        self.node(name).is_some_and(|node| self.moves.installs[node].is_entry)
    }

    /// The targets of an install.
    pub(super) fn next(&self, name: &str) -> Vec<&'q str> {
        let Some(node) = self.node(name) else { return Vec::new() };
        self.moves.moves.next(node).iter().map(|next| self.moves.name(*next)).collect()
    }

    pub(super) fn stuck(&self) -> &[Stuck<'q>] {
        self.stuck.get_or_init(|| self.moves.stuck())
    }
}
