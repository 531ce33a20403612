//! Tries edits of a channel before anybody suggests them.

use crate::domain::HashSet;
use crate::moves::NodeId;

use super::super::package::Channel;
use super::super::version::{Range, Version};
use super::{ChannelMoves, Install};

/// A channel to edit, and who does not reach the head now.
#[derive(Debug)]
pub(crate) struct Trial<'t, 'c> {
    moves: &'t ChannelMoves<'c>,
    /// The installs that are no entries.
    others: Vec<Install<'c>>,
    far: HashSet<&'c str>,
}

/// How often more names are added to what an entry must skip.
const ROUNDS: usize = 20;

impl<'t, 'c> Trial<'t, 'c> {
    #[must_use]
    pub(crate) fn new(moves: &'t ChannelMoves<'c>) -> Self {
        let others = moves.installs.iter().skip(moves.channel.entries.len()).cloned();
        let far = moves.far_from_head();
        let far = far.iter().map(|node| moves.name(*node)).collect();
        Self { moves, others: others.collect(), far }
    }

    /// Whether some installs reach the head after an edit, and all others that do now.
    #[must_use]
    pub(crate) fn frees(&self, names: &[&str], edit: impl FnOnce(&mut Channel)) -> bool {
        self.far_after(edit).is_some_and(|after| {
            let is_free = |name: &&str| !after.iter().any(|far| far == name);
            names.iter().all(is_free) && after.iter().all(|name| self.far.contains(name.as_str()))
        })
    }

    /// What an entry must skip so that some installs reach the head, and all others that do now.
    #[must_use]
    pub(crate) fn skips_that_free(&self, names: &[&str], skipper: &str) -> Option<Vec<String>> {
        let mut skips: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        for _ in 0..ROUNDS {
            let after = self.far_after(|channel| {
                for entry in channel.entries.iter_mut().filter(|entry| entry.name == skipper) {
                    entry.skips.extend(skips.iter().cloned());
                }
            })?;
            if after.iter().any(|name| skips.contains(name)) {
                return None;
            }
            // What could only go to an entry that is skipped now must be skipped too.
            let is_new = |name: &String| !self.far.contains(name.as_str());
            let more: Vec<String> = after.into_iter().filter(is_new).collect();
            if more.is_empty() {
                return Some(skips);
            }
            skips.extend(more);
        }
        None
    }

    /// A range that frees installs if the entry has it as its `skipRange`, and moves nobody else to
    /// another entry. None if no range does, or if the entry has one already.
    #[must_use]
    pub(crate) fn range_that_frees(&self, names: &[&str], skipper: &str) -> Option<Range> {
        let entry = self.moves.channel.entries.iter().find(|entry| entry.name == skipper)?;
        if entry.skip_range.is_some() {
            return None;
        }
        let freed: HashSet<&str> = names.iter().copied().collect();
        let installs = self.moves.installs.iter().filter(|install| freed.contains(install.name));
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
        let moves_nobody_else = self.after(set, |edited| {
            let ids = self.moves.installs.ids();
            let mut others = ids.filter(|node| !freed.contains(self.moves.name(*node)));
            others.all(|node| edited.moves.next(node) == self.moves.moves.next(node))
        })?;
        (moves_nobody_else && self.frees(names, set)).then_some(range)
    }

    /// The installs that do not reach the head after an edit. None if OLM cannot order the channel
    /// then, or moves the head back to an entry whose range contains it.
    fn far_after(&self, edit: impl FnOnce(&mut Channel)) -> Option<Vec<String>> {
        self.after(edit, |edited| {
            let far = edited.far_from_head();
            far.iter().map(|node| edited.name(*node).to_owned()).collect()
        })
    }

    /// What is so after an edit. An install is the same node as before.
    fn after<T>(
        &self,
        edit: impl FnOnce(&mut Channel),
        look: impl FnOnce(&ChannelMoves<'_>) -> T,
    ) -> Option<T> {
        let mut channel = self.moves.channel.clone();
        edit(&mut channel);
        let ChannelMoves { package, resolver, .. } = *self.moves;
        let edited = ChannelMoves::of(package, &channel, &self.others, resolver).ok()?;
        edited.order.as_ref().ok()?;
        let moves_on = |head: &NodeId| !edited.moves.next(*head).is_empty();
        if edited.heads.iter().any(moves_on) {
            return None;
        }
        Some(look(&edited))
    }
}
