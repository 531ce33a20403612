//! What becomes of an install whose Subscription switches to another channel.

use std::cmp::Ordering;

use crate::domain::{HashMap, HashSet};
use crate::moves::NodeId;

use super::super::package::{Channel, Package};
use super::super::version::BundleVersion;
use super::{ChannelMoves, Install, Published, Resolver, Stuck, TooLarge, Why};

/// A channel, and what becomes of installs from others that switch to it.
#[derive(Debug)]
pub(crate) struct SwitchTarget<'c> {
    pub moves: ChannelMoves<'c>,
    stuck: Vec<Stuck<'c>>,
    far: HashSet<NodeId>,
}

/// What becomes of an install after a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AfterSwitch<'c> {
    /// It is the head, or updates lead there.
    GetsToHead,
    /// It has a higher version than the head, so it stays until the channel has something newer.
    IsNewer,
    Stuck(Why<'c>),
    /// It moves, and ends elsewhere.
    EndsElsewhere,
}

impl AfterSwitch<'_> {
    /// One word for programs.
    #[must_use]
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::GetsToHead => "gets-to-head",
            Self::IsNewer => "newer-than-head",
            Self::Stuck(_) => "stuck",
            Self::EndsElsewhere => "ends-elsewhere",
        }
    }
}

impl<'c> SwitchTarget<'c> {
    /// A channel of a package, and what may be installed from other channels.
    pub(crate) fn of(
        package: &'c Package,
        to: &'c Channel,
        installed: impl IntoIterator<Item = Install<'c>>,
        resolver: Resolver,
    ) -> Result<Self, TooLarge> {
        let mut known: HashSet<&str> = to.entries.iter().map(|entry| entry.name.as_str()).collect();
        let others = installed.into_iter().filter(|install| known.insert(install.name));
        let others: Vec<Install<'c>> =
            others.map(|install| Install { is_entry: false, ..install }).collect();
        let moves = ChannelMoves::of(package, to, &others, resolver)?;
        let (stuck, far) = (moves.stuck(), moves.far_from_head().into_iter().collect());
        Ok(Self { moves, stuck, far })
    }

    #[must_use]
    pub(crate) fn after_switch(&self, install: NodeId) -> AfterSwitch<'c> {
        if !self.far.contains(&install) {
            return AfterSwitch::GetsToHead;
        }
        match self.stuck.iter().find(|stuck| stuck.install == install) {
            Some(_) if self.is_newer(install) => AfterSwitch::IsNewer,
            Some(stuck) => AfterSwitch::Stuck(stuck.why.clone()),
            None => AfterSwitch::EndsElsewhere,
        }
    }

    fn heads(&self) -> Vec<&'c str> {
        self.moves.heads.iter().map(|head| self.moves.name(*head)).collect()
    }

    fn is_newer(&self, install: NodeId) -> bool {
        let version = |node: NodeId| self.moves.installs[node].version;
        let head = self.moves.heads.first().and_then(|head| version(*head));
        let is_higher = |(own, head): (&BundleVersion, _)| own.compare(head) == Ordering::Greater;
        version(install).zip(head).is_some_and(is_higher)
    }
}

/// What becomes of the installs of each channel of a package in each other one.
#[derive(Debug)]
pub(crate) struct PackageSwitches<'c> {
    pub package: &'c Package,
    pub switches: Vec<Switch<'c>>,
    /// The channels that are too large to simulate.
    pub too_large: Vec<&'c str>,
}

/// From one channel to another.
#[derive(Debug)]
pub(crate) struct Switch<'c> {
    pub from: &'c Channel,
    pub to: &'c Channel,
    pub heads: Vec<&'c str>,
    /// Each entry of the former channel that has a bundle.
    pub installs: Vec<(&'c str, AfterSwitch<'c>)>,
}

/// Which switches to look at: all where nothing is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchRequest<'r> {
    pub from: Option<&'r str>,
    pub to: Option<&'r str>,
    pub resolver: Resolver,
}

impl<'c> PackageSwitches<'c> {
    #[must_use]
    pub(crate) fn of(
        package: &'c Package,
        published: &'c Published,
        request: SwitchRequest<'_>,
    ) -> Self {
        let is_wanted = |wanted: Option<&str>, channel: &&Channel| {
            wanted.is_none_or(|name| name == channel.name)
        };
        let from = package.channels.iter().filter(|channel| is_wanted(request.from, channel));
        let from: Vec<(&Channel, Vec<Install<'_>>)> =
            from.map(|channel| (channel, installs(package, channel, published))).collect();
        let mut found = Self { package, switches: Vec::new(), too_large: Vec::new() };
        for to in package.channels.iter().filter(|channel| is_wanted(request.to, channel)) {
            let others = || {
                from.iter().filter(|(from, installs)| from.name != to.name && !installs.is_empty())
            };
            let installed: Vec<Install<'_>> =
                others().flat_map(|(_, installs)| installs.iter().cloned()).collect();
            if installed.is_empty() || to.entries.is_empty() {
                continue;
            }
            let Ok(target) = SwitchTarget::of(package, to, installed, request.resolver) else {
                found.too_large.push(&to.name);
                continue;
            };
            let nodes: HashMap<&str, NodeId> =
                target.moves.installs.entries().map(|(node, one)| (one.name, node)).collect();
            found.switches.extend(others().map(|(from, installs)| {
                let installs = installs.iter().filter_map(|install| {
                    Some((install.name, target.after_switch(*nodes.get(install.name)?)))
                });
                Switch { from, to, heads: target.heads(), installs: installs.collect() }
            }));
        }
        found.switches.sort_by(|a, b| (&a.from.name, &a.to.name).cmp(&(&b.from.name, &b.to.name)));
        found
    }
}

/// What may be installed from a channel: its entries with bundles, and what it had earlier.
pub(crate) fn installs<'c>(
    package: &'c Package,
    channel: &'c Channel,
    published: &'c Published,
) -> Vec<Install<'c>> {
    let entries = channel.entries.iter().filter_map(|entry| {
        let version = package.bundle(&entry.name)?.version.as_ref();
        Some(Install { name: &entry.name, version, is_entry: false })
    });
    entries.chain(published.gone(package, &channel.name)).collect()
}
