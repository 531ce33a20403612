//! What a change does to the installs of a channel.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::moves::NodeId;

use super::super::package::{CatalogChannel, Package};
use super::{ChannelMoves, Published, Resolver, TooLarge, Why};

/// A channel before and after a change.
#[derive(Debug)]
pub(crate) struct ChannelDifference {
    pub package: String,
    pub channel: String,
    pub is_new: bool,
    pub is_gone: bool,
    pub heads_before: Vec<String>,
    pub heads: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Installs that could move or were at the head before, and are stuck now, with the reason.
    pub newly_stuck: Vec<(String, String)>,
    /// Other installs that reached a head before, and do not now.
    pub newly_far: Vec<String>,
    /// Whether the head has a lower version than before.
    pub went_back: bool,
    /// Installs that were stuck before, and are not now.
    pub unblocked: Vec<String>,
    /// Installs with another target.
    pub rerouted: Vec<ReroutedInstall>,
}

/// An install with another target than before. No target: it stays where it is.
#[derive(Debug)]
pub(crate) struct ReroutedInstall {
    pub name: String,
    pub before: Option<String>,
    pub now: Option<String>,
}

impl ChannelDifference {
    /// Compares a channel with its state before, if it was there. `why` puts a reason into words.
    pub(crate) fn of(
        before: Option<(&Package, &CatalogChannel)>,
        package: &Package,
        channel: &CatalogChannel,
        published: &Published,
        resolver: Resolver,
        why: impl Fn(&Why<'_>) -> String,
    ) -> Result<Self, TooLarge> {
        let gone = published.gone(package, &channel.name);
        let now = ChannelMoves::of(package, channel, &gone, resolver)?;
        let then =
            before.map(|(package, channel)| ChannelMoves::of(package, channel, &[], resolver));
        let then = then.transpose()?;
        let names = |channel: Option<&CatalogChannel>| -> BTreeSet<String> {
            let entries = channel.into_iter().flat_map(|channel| &channel.entries);
            entries.map(|entry| entry.name.clone()).collect()
        };
        let (old, new) = (names(before.map(|(_, channel)| channel)), names(Some(channel)));
        let stuck_then: BTreeSet<&str> = then.iter().flat_map(stuck).collect();
        let stuck_now: BTreeSet<&str> = stuck(&now).collect();
        let is_newly =
            |name: &str, were: &BTreeSet<&str>| old.contains(name) && !were.contains(name);
        let newly_stuck = now.stuck().into_iter().filter_map(|stuck| {
            let name = now.name(stuck.install);
            is_newly(name, &stuck_then).then(|| (name.to_owned(), why(&stuck.why)))
        });
        let far_then: BTreeSet<&str> = then.iter().flat_map(far).collect();
        let newly_far = far(&now).filter(|name| {
            is_newly(name, &far_then) && !stuck_now.contains(name) && !now.heads.is_empty()
        });
        let unblocked = stuck_then.iter().filter(|name| !stuck_now.contains(*name));
        Ok(Self {
            package: package.name.clone(),
            channel: channel.name.clone(),
            is_new: before.is_none(),
            is_gone: channel.entries.is_empty() && !old.is_empty(),
            heads_before: then.as_ref().map(heads).unwrap_or_default(),
            heads: heads(&now),
            added: new.difference(&old).cloned().collect(),
            removed: old.difference(&new).cloned().collect(),
            newly_stuck: newly_stuck.collect(),
            newly_far: newly_far.map(str::to_owned).collect(),
            went_back: then.as_ref().is_some_and(|then| went_back(then, &now)),
            unblocked: unblocked.map(|name| (*name).to_owned()).collect(),
            rerouted: then.map(|then| rerouted(&then, &now)).unwrap_or_default(),
        })
    }

    /// Keeps only what is worse than before: installs that lose their path, a channel that is gone,
    /// and a head with a lower version.
    pub(crate) fn only_worse(self) -> Self {
        let keeps_heads = self.went_back;
        let kept = |heads| if keeps_heads { heads } else { Vec::new() };
        Self {
            is_new: false,
            heads_before: kept(self.heads_before),
            heads: kept(self.heads),
            added: Vec::new(),
            removed: Vec::new(),
            unblocked: Vec::new(),
            rerouted: Vec::new(),
            ..self
        }
    }

    /// Whether nothing changes.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_new
            && !self.is_gone
            && self.heads_before == self.heads
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.newly_stuck.is_empty()
            && self.newly_far.is_empty()
            && self.unblocked.is_empty()
            && self.rerouted.is_empty()
    }
}

/// The installs that never move again, by name.
fn stuck<'m>(moves: &'m ChannelMoves<'_>) -> impl Iterator<Item = &'m str> {
    moves.stuck().into_iter().map(|stuck| moves.name(stuck.install))
}

/// The installs that never reach a head, by name.
fn far<'m>(moves: &'m ChannelMoves<'_>) -> impl Iterator<Item = &'m str> {
    moves.far_from_head().into_iter().map(|node| moves.name(node))
}

/// Whether the head has a lower version than the head before.
fn went_back(then: &ChannelMoves<'_>, now: &ChannelMoves<'_>) -> bool {
    let version = |moves: &ChannelMoves<'_>| moves.installs[*moves.heads.first()?].version.cloned();
    let (old, new) = (version(then), version(now));
    old.zip(new).is_some_and(|(old, new)| new.compare(&old) == Ordering::Less)
}

fn heads(moves: &ChannelMoves<'_>) -> Vec<String> {
    moves.heads.iter().map(|head| moves.name(*head).to_owned()).collect()
}

/// The installs in both states that have another first move now.
fn rerouted(then: &ChannelMoves<'_>, now: &ChannelMoves<'_>) -> Vec<ReroutedInstall> {
    let target = |moves: &ChannelMoves<'_>, node: NodeId| {
        moves.moves.next(node).first().map(|next| moves.name(*next).to_owned())
    };
    let by_name: crate::domain::HashMap<&str, NodeId> =
        now.installs.entries().map(|(node, install)| (install.name, node)).collect();
    let rerouted = then.installs.entries().filter_map(|(node, install)| {
        let name = install.name.to_owned();
        let (before, now) = (target(then, node), target(now, *by_name.get(install.name)?));
        (before != now).then_some(ReroutedInstall { name, before, now })
    });
    rerouted.collect()
}
