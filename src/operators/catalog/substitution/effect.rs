//! What substitutions do to the installs of a channel.

use std::collections::BTreeSet;

use crate::domain::{HashMap, HashSet};
use crate::moves::NodeId;

use super::super::package::{CatalogChannel, Package};
use super::super::simulation::{ChannelMoves, Edits, Install, Resolver, Stuck, TooLarge};
use super::chains::Chains;

/// A channel after substitutions, and how it differs.
#[derive(Debug)]
pub struct ChannelEffect<'c> {
    pub before: &'c CatalogChannel,
    pub after: ChannelMoves<'c>,
    /// The updates that OLM chooses only after the substitutions.
    pub gained: Vec<GainedEdge<'c>>,
    /// The updates that OLM chose only before the substitutions.
    pub lost: Vec<LostEdge<'c>>,
    pub stuck: Vec<Stuck<'c>>,
    pub edits: Edits,
    /// Installs that must go through a bundle that has a rebuild, each with that bundle.
    pub forced: Vec<(&'c str, &'c str)>,
    /// Installs of a chain that do not reach the head, although other members of the chain do.
    pub stranded: Vec<&'c str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GainedEdge<'c> {
    pub from: &'c str,
    pub to: &'c str,
    /// Whether no rebuild explains the update: the original bundles of its two ends are different,
    /// and had no such edge before.
    pub is_shortcut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostEdge<'c> {
    pub from: &'c str,
    pub to: &'c str,
    /// The target of the install now.
    pub now: Option<&'c str>,
}

impl<'c> ChannelEffect<'c> {
    /// Compares a channel before and after substitutions.
    pub fn of(
        package: &'c Package,
        before: &'c CatalogChannel,
        after: &'c CatalogChannel,
        chains: &'c Chains,
        resolver: Resolver,
    ) -> Result<Self, TooLarge> {
        let others = others(package, after, chains);
        let known = ChannelMoves::of(package, before, &others, resolver)?;
        let moves = ChannelMoves::of(package, after, &others, resolver)?;
        let (old, new) = (chosen(&known), chosen(&moves));
        let declared: HashSet<(&str, &str)> = known
            .edges
            .iter()
            .map(|edge| origins(chains, known.name(edge.from), known.name(edge.to)))
            .collect();
        let gained = new.difference(&old).map(|(from, to)| {
            let (from_origin, to_origin) = origins(chains, from, to);
            let is_known = from_origin == to_origin || declared.contains(&(from_origin, to_origin));
            GainedEdge { from, to, is_shortcut: !is_known }
        });
        let gained = gained.collect();
        let nodes: HashMap<&str, NodeId> =
            moves.installs.entries().map(|(node, install)| (install.name, node)).collect();
        let lost = old.difference(&new).map(|(from, to)| {
            let next = nodes.get(from).and_then(|node| moves.moves.next(*node).first());
            LostEdge { from, to, now: next.map(|next| moves.name(*next)) }
        });
        let lost = lost.collect();
        let stuck = moves.stuck();
        let is_entry = |stuck: &Stuck<'_>| moves.installs[stuck.install].is_entry;
        let stuck: Vec<Stuck<'c>> = stuck.into_iter().filter(is_entry).collect();
        // Only a declared skip can be removed. Substitutions would add theirs again.
        let known = skips(before);
        let edits =
            Edits::without_skips(&moves, &stuck, |entry, name| known.contains(&(entry, name)));
        let (forced, stranded) = (forced(&moves, chains), stranded(&moves, &nodes, chains));
        Ok(Self { before, after: moves, gained, lost, stuck, edits, forced, stranded })
    }

    /// Whether an install is stuck or stranded, or must go through a bundle that has a rebuild.
    pub fn is_bad(&self) -> bool {
        !self.stuck.is_empty() || !self.forced.is_empty() || !self.stranded.is_empty()
    }
}

/// The members of chains that the channel mentions, but that are not its entries. Clusters that
/// followed another channel may have them installed.
pub(super) fn others<'c>(
    package: &'c Package,
    channel: &'c CatalogChannel,
    chains: &'c Chains,
) -> Vec<Install<'c>> {
    let entries: HashSet<&str> = channel.entries.iter().map(|entry| entry.name.as_str()).collect();
    let named = channel.entries.iter().flat_map(|entry| {
        [&entry.name, &entry.replaces].into_iter().chain(&entry.skips).map(String::as_str)
    });
    let named: BTreeSet<usize> = named.filter_map(|name| Some(chains.place(name)?.chain)).collect();
    let members = named.into_iter().flat_map(|chain| chains.members(chain));
    let others = members.filter(|name| !entries.contains(name.as_str())).map(|name| {
        let version = package.bundle(name).and_then(|bundle| bundle.version.as_ref());
        Install { name, version, is_entry: false }
    });
    others.collect()
}

/// The skips of a channel, as pairs of an entry and a skipped name.
fn skips(channel: &CatalogChannel) -> HashSet<(&str, &str)> {
    let mut skips = HashSet::default();
    for entry in &channel.entries {
        skips.extend(entry.skips.iter().map(|skip| (entry.name.as_str(), skip.as_str())));
    }
    skips
}

/// The origins of the two ends of an update.
fn origins<'n>(chains: &'n Chains, from: &'n str, to: &'n str) -> (&'n str, &'n str) {
    (chains.origin(from), chains.origin(to))
}

/// The updates that OLM chooses.
fn chosen<'c>(moves: &ChannelMoves<'c>) -> BTreeSet<(&'c str, &'c str)> {
    let nodes = moves.installs.ids();
    let updates = nodes.flat_map(|from| moves.moves.next(from).iter().map(move |to| (from, *to)));
    updates.map(|(from, to)| (moves.name(from), moves.name(to))).collect()
}

/// The installs that can only move to a bundle that has a rebuild, unless both are of the same
/// chain.
pub(super) fn forced<'c>(moves: &ChannelMoves<'c>, chains: &Chains) -> Vec<(&'c str, &'c str)> {
    let mut forced = Vec::new();
    for node in moves.installs.ids() {
        let from = moves.name(node);
        let is_bad = |to: &NodeId| {
            let to = moves.name(*to);
            chains.last_rebuild(to).is_some() && chains.origin(from) != chains.origin(to)
        };
        let next = moves.moves.next(node);
        if let Some(first) = next.first().filter(|_| next.iter().all(is_bad)) {
            forced.push((from, moves.name(*first)));
        }
    }
    forced
}

fn stranded<'c>(
    moves: &ChannelMoves<'c>,
    nodes: &HashMap<&str, NodeId>,
    chains: &Chains,
) -> Vec<&'c str> {
    let far: HashSet<&str> =
        moves.far_from_head().into_iter().map(|node| moves.name(node)).collect();
    let mut stranded = Vec::new();
    for chain in chains.iter() {
        let installs = chain.iter().filter_map(|name| nodes.get(name.as_str()));
        let (lost, fine): (Vec<&str>, Vec<&str>) =
            installs.map(|node| moves.name(*node)).partition(|name| far.contains(name));
        if !fine.is_empty() {
            stranded.extend(lost);
        }
    }
    stranded
}
