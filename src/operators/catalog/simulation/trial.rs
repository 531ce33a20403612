//! Tries edits of a channel before they are suggested.

use std::cmp::Ordering;

use crate::domain::HashSet;
use crate::moves::NodeId;

use super::super::package::CatalogChannel;
use super::{ChannelMoves, Install, Resolver};
use crate::go::semver::{Range, Version};

/// A channel to edit, and the installs that do not reach the head before the edit.
#[derive(Debug)]
pub(crate) struct Trial<'t, 'c> {
    moves: &'t ChannelMoves<'c>,
    /// The installs that are not entries of the channel.
    others: Vec<Install<'c>>,
    far: HashSet<&'c str>,
    /// The other version of OLM, and the installs that do not reach the head with it. An edit for
    /// one version must not strand installs with the other.
    elsewhere: Option<(Resolver, HashSet<&'c str>)>,
}

/// How many times to extend the list of names that an entry must skip before giving up.
const ROUNDS: usize = 20;

impl<'t, 'c> Trial<'t, 'c> {
    pub(crate) fn new(moves: &'t ChannelMoves<'c>) -> Self {
        let others = moves.installs.iter().skip(moves.channel.entries.len()).cloned();
        let others: Vec<Install<'c>> = others.collect();
        let elsewhere = match moves.resolver {
            Resolver::V0 => Some(Resolver::V1),
            Resolver::V1 => Some(Resolver::V0),
            Resolver::All => None,
        };
        let elsewhere = elsewhere.and_then(|resolver| {
            let moves = ChannelMoves::of(moves.package, moves.channel, &others, resolver).ok()?;
            Some((resolver, far(&moves).collect()))
        });
        Self { moves, others, far: far(moves).collect(), elsewhere }
    }

    /// Whether, after an edit, these installs reach the head, and all others that reach it before
    /// the edit still reach it. None of these installs may move to a lower version.
    pub(crate) fn unblocks(&self, names: &[&str], edit: impl Fn(&mut CatalogChannel)) -> bool {
        let reach = |edited: &ChannelMoves<'_>| {
            let far_after: HashSet<&str> = far(edited).collect();
            names.iter().all(|name| !far_after.contains(name))
                && far_after.iter().all(|name| self.far.contains(name))
                && !names.iter().any(|name| is_downgraded(edited, name))
        };
        self.after(&edit, reach).unwrap_or(false) && self.is_fine_elsewhere(&edit)
    }

    /// The names that an entry must skip so that these installs reach the head, and all others that
    /// reach it now still reach it.
    pub(crate) fn skips_that_unblock(&self, names: &[&str], skipper: &str) -> Option<Vec<String>> {
        let mut skips: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        for _ in 0..ROUNDS {
            let add = |channel: &mut CatalogChannel| {
                for entry in channel.entries.iter_mut().filter(|entry| entry.name == skipper) {
                    entry.skips.extend(skips.iter().cloned());
                }
            };
            let after: Vec<String> =
                self.after(&add, |edited| far(edited).map(str::to_owned).collect())?;
            if after.iter().any(|name| skips.contains(name)) {
                return None;
            }
            // An install whose only target is skipped now loses its path, so the entry must skip
            // it, too.
            let is_new = |name: &String| !self.far.contains(name.as_str());
            let mut more: Vec<String> = after.into_iter().filter(is_new).collect();
            if more.is_empty() {
                more = self.newly_far_elsewhere(&add);
                more.retain(|name| !skips.contains(name));
            }
            if more.is_empty() {
                return self.unblocks(names, add).then_some(skips);
            }
            skips.extend(more);
        }
        None
    }

    /// A `skipRange` for the entry that unblocks the installs and changes the move of no other
    /// install. None if there is no such range, or if the entry already has a range.
    pub(crate) fn range_that_unblocks(&self, names: &[&str], skipper: &str) -> Option<Range> {
        let entry = self.moves.channel.entries.iter().find(|entry| entry.name == skipper)?;
        if entry.skip_range.is_some() {
            return None;
        }
        let unblocked: HashSet<&str> = names.iter().copied().collect();
        let installs =
            self.moves.installs.iter().filter(|install| unblocked.contains(install.name));
        let versions = installs.map(|install| Some(&install.version?.version));
        let versions: Vec<&Version> = versions.collect::<Option<_>>()?;
        let lowest = versions.into_iter().min_by(|a, b| a.precedence(b))?.without_build();
        let highest =
            self.moves.installs[self.moves.named(skipper)?].version?.version.without_build();
        let range = Range::parse(&format!(">={lowest} <{highest}")).ok()?;
        let set = |channel: &mut CatalogChannel| {
            for entry in channel.entries.iter_mut().filter(|entry| entry.name == skipper) {
                entry.skip_range = Some(range.clone());
            }
        };
        let moves_nobody_else = self.after(&set, |edited| {
            let ids = self.moves.installs.ids();
            let mut others = ids.filter(|node| !unblocked.contains(self.moves.name(*node)));
            others.all(|node| edited.moves.next(node) == self.moves.moves.next(node))
        })?;
        (moves_nobody_else && self.unblocks(names, set)).then_some(range)
    }

    /// Whether an edit makes no move worse: no install loses its path to the head, moves to a lower
    /// version, or leaves the head for another entry.
    pub(crate) fn harms_nobody(&self, edit: impl Fn(&mut CatalogChannel)) -> bool {
        self.unblocks(&[], &edit)
            && self.after(&edit, |edited| {
                let mut installs = self.moves.installs.ids();
                installs.all(|node| {
                    edited.moves.next(node) == self.moves.moves.next(node)
                        || !is_downgraded(edited, self.moves.name(node))
                })
            }) == Some(true)
    }

    fn is_fine_elsewhere(&self, edit: &impl Fn(&mut CatalogChannel)) -> bool {
        let Some((resolver, far_now)) = &self.elsewhere else { return true };
        self.after_with(*resolver, edit, |edited| far(edited).all(|name| far_now.contains(name)))
            .unwrap_or(false)
    }

    /// The installs that no longer reach the head with the other version of OLM.
    fn newly_far_elsewhere(&self, edit: &impl Fn(&mut CatalogChannel)) -> Vec<String> {
        let Some((resolver, far_now)) = &self.elsewhere else { return Vec::new() };
        let newly = |edited: &ChannelMoves<'_>| {
            far(edited).filter(|name| !far_now.contains(name)).map(str::to_owned).collect()
        };
        self.after_with(*resolver, edit, newly).unwrap_or_default()
    }

    fn after<T>(
        &self,
        edit: &impl Fn(&mut CatalogChannel),
        look: impl FnOnce(&ChannelMoves<'_>) -> T,
    ) -> Option<T> {
        self.after_with(self.moves.resolver, edit, look)
    }

    /// Looks at the channel after an edit. Installs keep their node ids. None if OLM v0 cannot
    /// order the edited channel, or if its head would move on, which happens if a range contains
    /// it.
    fn after_with<T>(
        &self,
        resolver: Resolver,
        edit: &impl Fn(&mut CatalogChannel),
        look: impl FnOnce(&ChannelMoves<'_>) -> T,
    ) -> Option<T> {
        let mut channel = self.moves.channel.clone();
        edit(&mut channel);
        let edited = ChannelMoves::of(self.moves.package, &channel, &self.others, resolver).ok()?;
        edited.order.as_ref().ok()?;
        let moves_on = |head: &NodeId| !edited.moves.next(*head).is_empty();
        if edited.heads.iter().any(moves_on) {
            return None;
        }
        Some(look(&edited))
    }
}

fn far<'m, 'c>(moves: &'m ChannelMoves<'c>) -> impl Iterator<Item = &'c str> + use<'m, 'c> {
    moves.far_from_head().into_iter().map(|node| moves.name(node))
}

/// Whether an install moves to a lower version.
fn is_downgraded(moves: &ChannelMoves<'_>, name: &str) -> bool {
    let Some(node) = moves.named(name) else { return false };
    let version = |node: NodeId| moves.installs[node].version;
    let next = moves.moves.next(node).iter().filter_map(|next| version(*next));
    version(node).is_some_and(|own| {
        let mut next = next;
        next.any(|next| own.compare(next) == Ordering::Greater)
    })
}
