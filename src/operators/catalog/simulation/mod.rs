//! Where the installs of a channel move, and which are stuck.
//!
//! Requirements of bundles do not count here: they depend on what else a namespace has.

mod difference;
mod edges;
mod edits;
mod published;
mod role;
mod stuck;
mod switch;
mod trial;
mod whole;

pub(crate) use difference::ChannelDifference;
pub(crate) use edges::TooLarge;
pub(crate) use edges::{EdgeKind, TypedEdge};
pub use edits::{ChannelEdit, Edits};
pub(crate) use published::Published;
pub(crate) use role::Role;
pub(crate) use stuck::{Stuck, Why};
pub(crate) use switch::{AfterSwitch, PackageSwitches, Switch, SwitchRequest, SwitchTarget};
pub(crate) use trial::Trial;
pub(crate) use whole::{CatalogRequest, CatalogSimulation, ChannelSimulation, gone_channels};

use crate::domain::{Arena, HashMap, Named};
use crate::moves::{Edge, Moves, Network, NodeId, Policy};

use super::package::{CatalogChannel, Package};
use super::resolver::{OrderError, order};
use super::version::BundleVersion;

/// Which program moves the installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// OLM v0: takes the first entry in the order of the channel.
    V0,
    /// OLM v1: takes the highest version.
    V1,
    /// Takes every edge.
    All,
}

impl Named for Resolver {
    const ALL: &'static [Self] = &[Self::V0, Self::V1, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::V0 => "v0",
            Self::V1 => "v1",
            Self::All => "all",
        }
    }
}

/// What may be installed: an entry of the channel, or one that only an earlier revision of the
/// catalog had.
#[derive(Clone, Debug)]
pub struct Install<'c> {
    pub name: &'c str,
    /// None if the catalog does not say.
    pub version: Option<&'c BundleVersion>,
    /// Whether the channel has it as an entry, with a bundle.
    pub is_entry: bool,
}

/// A channel, its installs, and where they move.
#[derive(Debug)]
pub struct ChannelMoves<'c> {
    pub package: &'c Package,
    pub channel: &'c CatalogChannel,
    pub installs: Arena<NodeId, Install<'c>>,
    pub edges: Vec<TypedEdge>,
    pub moves: Moves,
    /// The installs that are up to date.
    pub heads: Vec<NodeId>,
    /// The rank of each install in the order of OLM v0, beginning with 0, or why OLM v0 has no
    /// order.
    pub order: Result<Arena<NodeId, Option<u32>>, OrderError>,
    pub resolver: Resolver,
}

impl<'c> ChannelMoves<'c> {
    /// Computes the moves of all entries of a channel, and of other installs.
    pub fn of(
        package: &'c Package,
        channel: &'c CatalogChannel,
        others: &[Install<'c>],
        resolver: Resolver,
    ) -> Result<Self, TooLarge> {
        let entries = channel.entries.iter().map(|entry| {
            let bundle = package.bundle(&entry.name);
            let version = bundle.and_then(|bundle| bundle.version.as_ref());
            Install { name: &entry.name, version, is_entry: bundle.is_some() }
        });
        let installs: Arena<NodeId, Install<'c>> = entries.chain(others.iter().cloned()).collect();
        let edges = edges::edges(channel, &installs)?;
        let order = ranks_of_order(package, channel, &installs);
        let (ranks, policy) = match resolver {
            Resolver::V0 => {
                let none = || Arena::filled(installs.len(), None);
                (order.clone().unwrap_or_else(|_| none()), Policy::BestRanked)
            }
            Resolver::V1 => (ranks_of_versions(package, &installs), Policy::BestRanked),
            Resolver::All => {
                let rank = |install: &Install<'_>| install.is_entry.then_some(0);
                (installs.iter().map(rank).collect(), Policy::AllEdges)
            }
        };
        let mut followed: Vec<Edge> =
            edges.iter().map(|edge| Edge { from: edge.from, to: edge.to }).collect();
        if resolver == Resolver::V1 {
            followed.extend(edges_to_same_version(&installs, &ranks));
        }
        let heads = heads(&installs, &edges, &ranks, resolver);
        let moves = Network { edges: followed, ranks }.moves(policy);
        Ok(Self { package, channel, installs, edges, moves, heads, order, resolver })
    }

    pub fn name(&self, node: NodeId) -> &'c str {
        self.installs[node].name
    }

    /// The install with this name.
    pub fn named(&self, name: &str) -> Option<NodeId> {
        self.installs.entries().find(|(_, install)| install.name == name).map(|(id, _)| id)
    }

    /// The installs that never reach a head, sorted by name.
    pub fn far_from_head(&self) -> Vec<NodeId> {
        let distances = self.moves.distances(&self.heads);
        self.installs.ids().filter(|node| distances[*node].is_none()).collect()
    }
}

fn ranks_of_order(
    package: &Package,
    channel: &CatalogChannel,
    installs: &Arena<NodeId, Install<'_>>,
) -> Result<Arena<NodeId, Option<u32>>, OrderError> {
    let order = order(package, channel)?;
    let places: HashMap<&str, u32> =
        (0..).zip(&order).map(|(place, entry)| (entry.name.as_str(), place)).collect();
    let rank = |install: &Install<'_>| {
        install.is_entry.then(|| places.get(install.name).copied()).flatten()
    };
    Ok(installs.iter().map(rank).collect())
}

/// Ranks installs as OLM v1 does by default: first by not being deprecated, then by version, with
/// the build as the release.
fn ranks_of_versions(
    package: &Package,
    installs: &Arena<NodeId, Install<'_>>,
) -> Arena<NodeId, Option<u32>> {
    let mut order: Vec<(bool, BundleVersion, usize, NodeId)> = installs
        .entries()
        .filter_map(|(node, install)| {
            let version = &install.version?.version;
            let version = BundleVersion::with_build_as_release(version).ok()?;
            let bundle = package.bundle(install.name);
            let is_deprecated = bundle.is_some_and(|bundle| bundle.deprecation.is_some());
            Some((is_deprecated, version, bundle.map_or(0, |bundle| bundle.place), node))
        })
        .collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.compare(&a.1)).then(a.2.cmp(&b.2)));
    let mut ranks = Arena::filled(installs.len(), None);
    for (rank, (.., node)) in (0..).zip(order) {
        ranks[node] = Some(rank);
    }
    ranks
}

/// The edges from installs to their own version. OLM v1 also considers entries with the same
/// version as the install, itself included: the best of them competes with the updates. An install
/// that the channel no longer has cannot stay.
fn edges_to_same_version(
    installs: &Arena<NodeId, Install<'_>>,
    ranks: &Arena<NodeId, Option<u32>>,
) -> Vec<Edge> {
    let text = |node: NodeId| installs[node].version.map(|version| version.version.to_string());
    let mut best: HashMap<String, (u32, NodeId)> = HashMap::default();
    for (node, rank) in ranks.entries().filter(|(node, _)| installs[*node].is_entry) {
        if let (Some(text), Some(rank)) = (text(node), *rank) {
            let best = best.entry(text).or_insert((rank, node));
            *best = (*best).min((rank, node));
        }
    }
    let edge = |from: NodeId| {
        let own = || installs[from].is_entry.then_some(from);
        let to = text(from).and_then(|text| Some(best.get(&text)?.1)).or_else(own)?;
        Some(Edge { from, to })
    };
    installs.ids().filter_map(edge).collect()
}

fn heads(
    installs: &Arena<NodeId, Install<'_>>,
    edges: &[TypedEdge],
    ranks: &Arena<NodeId, Option<u32>>,
    resolver: Resolver,
) -> Vec<NodeId> {
    match resolver {
        Resolver::V0 => {
            ranks.entries().filter(|(_, rank)| **rank == Some(0)).map(|(id, _)| id).collect()
        }
        Resolver::V1 => {
            let entries = ranks.entries().filter(|(node, _)| installs[*node].is_entry);
            let best = entries.filter_map(|(node, rank)| Some(((*rank)?, node))).min();
            best.map(|(_, node)| node).into_iter().collect()
        }
        Resolver::All => {
            let mut is_origin = Arena::filled(installs.len(), false);
            for edge in edges.iter().filter(|edge| edge.from != edge.to) {
                is_origin[edge.from] = true;
            }
            let entries = installs.entries().filter(|(_, install)| install.is_entry);
            entries.filter(|(node, _)| !is_origin[*node]).map(|(node, _)| node).collect()
        }
    }
}
