//! What installs lose with the catalog of the next OpenShift, and what rescues them.

mod brought;
mod rescue;

pub(crate) use rescue::Rescue;

use brought::with_brought;

use super::openshift_limit::as_compared;
use super::package::{CatalogChannel, Entry, Package};
use super::simulation::{ChannelMoves, Install, Resolver};
use crate::domain::{HashSet, Minor};

/// Installs whose channel exists in the next catalog, but that have no update there.
#[derive(Debug)]
pub(crate) struct WithoutUpdate<'c> {
    /// The channel in the next catalog.
    pub moves: ChannelMoves<'c>,
    /// The names of the installs, in the order of this channel.
    pub names: Vec<&'c str>,
    pub rescue: Option<Rescue>,
}

/// The entries of a channel whose installs let the cluster update to the next OpenShift. For all
/// others, OLM blocks that update. `minor` is the OpenShift of the catalog.
pub(crate) fn crossing<'c>(
    package: &'c Package,
    channel: &'c CatalogChannel,
    minor: Option<Minor>,
) -> Vec<&'c str> {
    let can_cross = |entry: &&Entry| {
        package.bundle(&entry.name).is_some_and(|bundle| {
            let limit = bundle.limit.as_ref().zip(minor);
            limit.is_none_or(|(limit, minor)| limit.allows_updates_from(as_compared(minor)))
        })
    };
    channel.entries.iter().filter(can_cross).map(|entry| entry.name.as_str()).collect()
}

/// The installs of a channel that lose their updates in the next catalog, although it has the
/// channel. Installs that are stuck already lose nothing. None if no install loses updates, or if
/// one of the two channels has no order.
pub(crate) fn without_update<'c>(
    now: &ChannelMoves<'c>,
    next: (&'c Package, &'c CatalogChannel),
    minor: Option<Minor>,
) -> Option<WithoutUpdate<'c>> {
    now.order.as_ref().ok()?;
    let (package, channel) = next;
    let kept: HashSet<&str> = channel.entries.iter().map(|entry| entry.name.as_str()).collect();
    let others = now.installs.iter().filter(|install| !kept.contains(install.name));
    let others = others.map(|install| Install { is_entry: false, ..install.clone() });
    let others: Vec<Install<'c>> = others.collect();
    let moves = ChannelMoves::of(package, channel, &others, Resolver::V0).ok()?;
    moves.order.as_ref().ok()?;
    let far = names(now, now.far_from_head());
    let far_next = names(&moves, moves.far_from_head());
    let names: Vec<&str> = crossing(now.package, now.channel, minor)
        .into_iter()
        .filter(|name| far_next.contains(name) && !far.contains(name))
        .collect();
    if names.is_empty() {
        return None;
    }
    let rescue = rescue::of(now, &moves, &names);
    Some(WithoutUpdate { moves, names, rescue })
}

/// Whether all these installs reach a head if the next catalog gets the channel as it is now.
pub(crate) fn is_saved_by_channel(now: &ChannelMoves<'_>, next: &Package, names: &[&str]) -> bool {
    let all: Vec<&str> = now.channel.entries.iter().map(|entry| entry.name.as_str()).collect();
    let channel = CatalogChannel { name: now.channel.name.clone(), ..CatalogChannel::default() };
    with_brought(now, next, &channel, &all, |moves| reach_head(moves, names)).unwrap_or(false)
}

fn names<'c>(moves: &ChannelMoves<'c>, nodes: Vec<crate::moves::NodeId>) -> HashSet<&'c str> {
    nodes.into_iter().map(|node| moves.name(node)).collect()
}

fn reach_head(moves: &ChannelMoves<'_>, wanted: &[&str]) -> bool {
    let far = names(moves, moves.far_from_head());
    moves.order.is_ok() && !wanted.iter().any(|name| far.contains(name))
}
