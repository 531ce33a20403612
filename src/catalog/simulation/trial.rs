//! Tries edits of a channel before anybody suggests them.

use std::cmp::Ordering;

use crate::domain::HashSet;
use crate::moves::NodeId;

use super::super::package::Channel;
use super::{ChannelMoves, Install, Resolver};
use crate::go::semver::{Range, Version};

/// A channel to edit, and who does not reach the head now.
#[derive(Debug)]
pub(crate) struct Trial<'t, 'c> {
    moves: &'t ChannelMoves<'c>,
    /// The installs that are no entries.
    others: Vec<Install<'c>>,
    far: HashSet<&'c str>,
    /// The other version of OLM, and who does not reach the head with it. An edit for one version
    /// must not strand anybody with the other.
    elsewhere: Option<(Resolver, HashSet<&'c str>)>,
}

/// How often more names are added to what an entry must skip.
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

    /// Whether some installs reach the head after an edit, and all others that do now. None of them may
    /// get a lower version on the path.
    pub(crate) fn unblocks(&self, names: &[&str], edit: impl Fn(&mut Channel)) -> bool {
        let reach = |edited: &ChannelMoves<'_>| {
            let far_after: HashSet<&str> = far(edited).collect();
            names.iter().all(|name| !far_after.contains(name))
                && far_after.iter().all(|name| self.far.contains(name))
                && !names.iter().any(|name| is_downgraded(edited, name))
        };
        self.after(&edit, reach).unwrap_or(false) && self.is_fine_elsewhere(&edit)
    }

    /// What an entry must skip so that some installs reach the head, and all others that do now.
    pub(crate) fn skips_that_unblock(&self, names: &[&str], skipper: &str) -> Option<Vec<String>> {
        let mut skips: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        for _ in 0..ROUNDS {
            let add = |channel: &mut Channel| {
                for entry in channel.entries.iter_mut().filter(|entry| entry.name == skipper) {
                    entry.skips.extend(skips.iter().cloned());
                }
            };
            let after: Vec<String> =
                self.after(&add, |edited| far(edited).map(str::to_owned).collect())?;
            if after.iter().any(|name| skips.contains(name)) {
                return None;
            }
            // What could only go to an entry that is skipped now must be skipped too.
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

    /// A range that unblocks installs if the entry has it as its `skipRange`, and moves nobody else to
    /// another entry. None if no range does, or if the entry has one already.
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
        let set = |channel: &mut Channel| {
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

    /// Whether an edit changes no move to one that is worse: nobody loses the head, goes to a lower
    /// version, or leaves the head for another entry.
    pub(crate) fn harms_nobody(&self, edit: impl Fn(&mut Channel)) -> bool {
        self.unblocks(&[], &edit)
            && self.after(&edit, |edited| {
                let mut installs = self.moves.installs.ids();
                installs.all(|node| {
                    edited.moves.next(node) == self.moves.moves.next(node)
                        || !is_downgraded(edited, self.moves.name(node))
                })
            }) == Some(true)
    }

    fn is_fine_elsewhere(&self, edit: &impl Fn(&mut Channel)) -> bool {
        let Some((resolver, far_now)) = &self.elsewhere else { return true };
        self.after_with(*resolver, edit, |edited| far(edited).all(|name| far_now.contains(name)))
            .unwrap_or(false)
    }

    /// Who no longer reaches the head with the other version of OLM.
    fn newly_far_elsewhere(&self, edit: &impl Fn(&mut Channel)) -> Vec<String> {
        let Some((resolver, far_now)) = &self.elsewhere else { return Vec::new() };
        let newly = |edited: &ChannelMoves<'_>| {
            far(edited).filter(|name| !far_now.contains(name)).map(str::to_owned).collect()
        };
        self.after_with(*resolver, edit, newly).unwrap_or_default()
    }

    fn after<T>(
        &self,
        edit: &impl Fn(&mut Channel),
        look: impl FnOnce(&ChannelMoves<'_>) -> T,
    ) -> Option<T> {
        self.after_with(self.moves.resolver, edit, look)
    }

    /// What is so after an edit. An install is the same node as before. None if OLM v0 cannot order the
    /// channel then, or if the head moves on to an entry whose range contains it.
    fn after_with<T>(
        &self,
        resolver: Resolver,
        edit: &impl Fn(&mut Channel),
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
