//! What happens to an install if its Subscription switches to another channel.

use std::cmp::Ordering;

use crate::domain::{HashMap, HashSet};
use crate::moves::NodeId;

use super::super::package::{CatalogChannel, Package};
use super::super::version::BundleVersion;
use super::{ChannelMoves, Install, Published, Resolver, Stuck, TooLarge, Why};

/// A channel, and what happens to installs of other channels that switch to it.
#[derive(Debug)]
pub(crate) struct SwitchTarget<'c> {
    pub moves: ChannelMoves<'c>,
    nodes: HashMap<&'c str, NodeId>,
    stuck: Vec<Stuck<'c>>,
    far: HashSet<NodeId>,
}

/// What happens to an install after a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AfterSwitch<'c> {
    /// It is the head, or updates lead there.
    GetsToHead,
    /// It gets to the head if it is updated to this entry of the former channel first.
    IfUpdated(&'c str),
    /// It has a higher version than the head, so it stays until the channel has something newer.
    IsNewer,
    Stuck(Why<'c>),
    /// It moves, but does not end at the head.
    EndsElsewhere,
}

impl AfterSwitch<'_> {
    /// The result as one word, for programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::GetsToHead => "gets-to-head",
            Self::IfUpdated(_) => "gets-to-head-if-updated",
            Self::IsNewer => "newer-than-head",
            Self::Stuck(_) => "stuck",
            Self::EndsElsewhere => "ends-elsewhere",
        }
    }
}

impl<'c> SwitchTarget<'c> {
    /// Prepares a switch to a channel, for all installs that other channels may have.
    pub(crate) fn of(
        package: &'c Package,
        to: &'c CatalogChannel,
        installed: impl IntoIterator<Item = Install<'c>>,
        resolver: Resolver,
    ) -> Result<Self, TooLarge> {
        let mut known: HashSet<&str> = to.entries.iter().map(|entry| entry.name.as_str()).collect();
        let others = installed.into_iter().filter(|install| known.insert(install.name));
        let others: Vec<Install<'c>> =
            others.map(|install| Install { is_entry: false, ..install }).collect();
        let moves = ChannelMoves::of(package, to, &others, resolver)?;
        let nodes = moves.installs.entries().map(|(node, install)| (install.name, node)).collect();
        let (stuck, far) = (moves.stuck(), moves.far_from_head().into_iter().collect());
        Ok(Self { moves, nodes, stuck, far })
    }

    /// What happens to an install that leaves another channel.
    pub(crate) fn after_switch(&self, from: &ChannelMoves<'c>, left: NodeId) -> AfterSwitch<'c> {
        let here = |left: NodeId| self.nodes.get(from.name(left)).copied();
        let gets_to_head = |left: NodeId| here(left).is_some_and(|node| !self.far.contains(&node));
        if gets_to_head(left) {
            return AfterSwitch::GetsToHead;
        }
        let Some(install) = here(left) else { return AfterSwitch::EndsElsewhere };
        if self.is_newer(install) && self.moves.moves.next(install).is_empty() {
            return AfterSwitch::IsNewer;
        }
        if let Some(first) = from.moves.trail(left).into_iter().skip(1).find(|to| gets_to_head(*to))
        {
            return AfterSwitch::IfUpdated(from.name(first));
        }
        match self.stuck.iter().find(|stuck| stuck.install == install) {
            Some(stuck) => AfterSwitch::Stuck(stuck.why.clone()),
            None => AfterSwitch::EndsElsewhere,
        }
    }

    /// What happens to all installs of another channel that switch to this one.
    fn switch(&self, from: &ChannelMoves<'c>) -> Switch<'c> {
        let installs = from.installs.entries().filter(|(_, install)| is_installable(from, install));
        let installs =
            installs.map(|(left, install)| (install.name, self.after_switch(from, left)));
        let heads = self.moves.heads.iter().map(|head| self.moves.name(*head)).collect();
        let (from, to) = (from.channel, self.moves.channel);
        Switch { from, to, heads, installs: installs.collect() }
    }

    fn is_newer(&self, install: NodeId) -> bool {
        let version = |node: NodeId| self.moves.installs[node].version;
        let head = self.moves.heads.first().and_then(|head| version(*head));
        let is_higher = |(own, head): (&BundleVersion, _)| own.compare(head) == Ordering::Greater;
        version(install).zip(head).is_some_and(is_higher)
    }
}

/// What happens to the installs of each channel of a package in each of its other channels.
#[derive(Debug)]
pub(crate) struct PackageSwitches<'c> {
    pub package: &'c Package,
    pub switches: Vec<Switch<'c>>,
    /// The channels that are too large to simulate.
    pub too_large: Vec<&'c str>,
}

/// The installs that switch from one channel to another.
#[derive(Debug)]
pub(crate) struct Switch<'c> {
    pub from: &'c CatalogChannel,
    pub to: &'c CatalogChannel,
    pub heads: Vec<&'c str>,
    /// The entries of the former channel that have a bundle, and what happens to their installs.
    pub installs: Vec<(&'c str, AfterSwitch<'c>)>,
}

/// Which switches to simulate. None means all channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchRequest<'r> {
    pub from: &'r [String],
    pub to: &'r [String],
    pub resolver: Resolver,
}

impl<'c> PackageSwitches<'c> {
    pub(crate) fn of(
        package: &'c Package,
        published: &'c Published,
        request: SwitchRequest<'_>,
    ) -> Self {
        let is_wanted = |wanted: &[String], channel: &&CatalogChannel| {
            wanted.is_empty() || wanted.contains(&channel.name)
        };
        let mut found = Self { package, switches: Vec::new(), too_large: Vec::new() };
        let mut left: Vec<ChannelMoves<'_>> = Vec::new();
        for channel in package.channels.iter().filter(|channel| is_wanted(request.from, channel)) {
            let gone = published.gone(package, &channel.name);
            match ChannelMoves::of(package, channel, &gone, request.resolver) {
                Ok(moves) => left.push(moves),
                Err(TooLarge) => found.too_large.push(&channel.name),
            }
        }
        for to in package.channels.iter().filter(|channel| is_wanted(request.to, channel)) {
            let others = || left.iter().filter(|from| from.channel.name != to.name);
            let installed = others().flat_map(|from| from.installs.iter());
            let installed: Vec<Install<'_>> = installed.cloned().collect();
            if installed.is_empty() || to.entries.is_empty() {
                continue;
            }
            match SwitchTarget::of(package, to, installed, request.resolver) {
                Ok(target) => found.switches.extend(others().map(|from| target.switch(from))),
                Err(TooLarge) => found.too_large.push(&to.name),
            }
        }
        found.too_large.sort_unstable();
        found.too_large.dedup();
        found.switches.sort_by(|a, b| (&a.from.name, &a.to.name).cmp(&(&b.from.name, &b.to.name)));
        found
    }
}

/// Whether somebody can have installed it: an entry without a bundle was never installed.
fn is_installable(from: &ChannelMoves<'_>, install: &Install<'_>) -> bool {
    install.is_entry || from.channel.entries.iter().all(|entry| entry.name != install.name)
}
