//! One edit of a channel that frees installs. Each is tried before it is suggested.

use std::collections::HashSet;

use super::super::package::{Channel, Package};
use super::super::version::BundleVersion;
use super::{ChannelMoves, Install, Resolver, Stuck, Why};

/// An edit of one entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelEdit {
    /// Add names to `skips` of an entry.
    AddSkips { entry: String, names: Vec<String> },
    /// Remove a name from `skips` of an entry.
    RemoveSkip { entry: String, name: String },
}

/// More edits are not tried.
const MOST_TRIES: usize = 200;

/// What frees the stuck installs of a channel.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// For each stuck install, one edit that frees it and strands nobody.
    pub single: Vec<Option<ChannelEdit>>,
    /// One edit that frees all of them.
    pub whole: Option<ChannelEdit>,
}

impl Edits {
    /// Looks for edits that free the stuck installs.
    #[must_use]
    pub fn of(moves: &ChannelMoves<'_>, stuck: &[Stuck<'_>]) -> Self {
        let (Resolver::V0, [head]) = (moves.resolver, moves.heads.as_slice()) else {
            return Self { single: vec![None; stuck.len()], whole: None };
        };
        let mut trial = Trial::new(moves, stuck);
        let head = moves.name(*head).to_owned();
        let names: Vec<String> =
            stuck.iter().map(|stuck| moves.name(stuck.install).to_owned()).collect();
        let skip = |names: Vec<String>| ChannelEdit::AddSkips { entry: head.clone(), names };
        let mut single = Vec::new();
        for (stuck, name) in stuck.iter().zip(&names) {
            let removal = match &stuck.why {
                Why::Skipped { target, by } if by.len() == 1 => Some(ChannelEdit::RemoveSkip {
                    entry: by[0].to_owned(),
                    name: (*target).to_owned(),
                }),
                _ => None,
            };
            let mut edits = removal.into_iter().chain([skip(vec![name.clone()])]);
            single.push(edits.find(|edit| trial.frees(edit, &[name.as_str()])));
        }
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut whole: Vec<ChannelEdit> = single.iter().flatten().cloned().collect();
        whole.sort();
        whole.dedup();
        whole.push(skip(names.clone()));
        let whole = if all.is_empty() {
            None
        } else {
            whole.into_iter().find(|edit| trial.frees(edit, &all))
        };
        Self { single, whole }
    }
}

/// Tries edits of a channel.
struct Trial<'t> {
    package: &'t Package,
    channel: &'t Channel,
    /// The installs that are no entries.
    others: Vec<(&'t str, Option<&'t BundleVersion>)>,
    stuck: HashSet<&'t str>,
    left: usize,
}

impl<'t> Trial<'t> {
    fn new(moves: &'t ChannelMoves<'_>, stuck: &[Stuck<'_>]) -> Self {
        let entries = moves.channel.entries.len();
        let others = moves.installs.iter().skip(entries);
        Self {
            package: moves.package,
            channel: moves.channel,
            others: others.map(|install| (install.name, install.version)).collect(),
            stuck: stuck.iter().map(|stuck| moves.name(stuck.install)).collect(),
            left: MOST_TRIES,
        }
    }

    /// Whether an edit frees these installs and strands nobody.
    fn frees(&mut self, edit: &ChannelEdit, names: &[&str]) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let channel = edit.applied(self.channel);
        let others = self.others.iter().map(|(name, version)| Install {
            name,
            version: *version,
            is_entry: false,
        });
        let others: Vec<Install<'_>> = others.collect();
        let Ok(moves) = ChannelMoves::of(self.package, &channel, &others, Resolver::V0) else {
            return false;
        };
        let far = moves.far_from_head();
        let far: HashSet<&str> = far.iter().map(|node| moves.name(*node)).collect();
        !moves.heads.is_empty()
            && names.iter().all(|name| !far.contains(name))
            && moves.stuck().iter().all(|stuck| self.stuck.contains(moves.name(stuck.install)))
    }
}

impl ChannelEdit {
    /// The channel after the edit.
    #[must_use]
    pub fn applied(&self, channel: &Channel) -> Channel {
        let mut channel = channel.clone();
        let (Self::AddSkips { entry: name, .. } | Self::RemoveSkip { entry: name, .. }) = self;
        for entry in channel.entries.iter_mut().filter(|entry| entry.name == *name) {
            match self {
                Self::AddSkips { names, .. } => entry.skips.extend(names.iter().cloned()),
                Self::RemoveSkip { name, .. } => entry.skips.retain(|skip| skip != name),
            }
        }
        channel
    }
}
