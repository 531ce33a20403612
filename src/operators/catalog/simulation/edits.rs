//! One edit of a channel that unblocks installs.

use crate::text::words::{list_all, quoted};

use super::super::package::CatalogChannel;
use super::{ChannelMoves, Resolver, Stuck, Trial, Why};
use crate::go::semver::Range;

/// An edit of one entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelEdit {
    /// Add names to `skips` of an entry.
    AddSkips { entry: String, names: Vec<String> },
    /// Give an entry a `skipRange`, instead of a long list of skips.
    SetSkipRange { entry: String, range: String },
    /// Remove a name from `skips` of an entry.
    RemoveSkip { entry: String, name: String },
}

/// Only this many stuck installs of a channel get an edit of their own.
const MOST_SINGLE: usize = 100;

/// A `skipRange` is suggested instead of more skips than this.
const MANY_SKIPS: usize = 4;

/// The edits that unblock the stuck installs of a channel.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// For each stuck install, the smallest edit that unblocks it and strands nobody. Installs that
    /// are stuck for the same reason share an edit that unblocks all of them.
    pub single: Vec<Option<ChannelEdit>>,
    /// One edit that unblocks all of them.
    pub whole: Option<ChannelEdit>,
}

impl Edits {
    /// Searches for edits that unblock the stuck installs.
    pub fn of(moves: &ChannelMoves<'_>, stuck: &[Stuck<'_>]) -> Self {
        Self::without_skips(moves, stuck, |_, _| true)
    }

    /// Searches for edits. `can_be_removed` says whether a skip, given by its entry and its name,
    /// may be removed.
    pub(crate) fn without_skips(
        moves: &ChannelMoves<'_>,
        stuck: &[Stuck<'_>],
        can_be_removed: impl Fn(&str, &str) -> bool,
    ) -> Self {
        let none = || Self { single: vec![None; stuck.len()], whole: None };
        let (Resolver::V0 | Resolver::V1, [head], false) =
            (moves.resolver, moves.heads.as_slice(), stuck.is_empty())
        else {
            return none();
        };
        let search = Search {
            trial: Trial::new(moves),
            head: moves.name(*head),
            removals: stuck.iter().map(|stuck| removal(stuck, &can_be_removed)).collect(),
            names: stuck.iter().map(|stuck| moves.name(stuck.install)).collect(),
        };
        let mut edits = none();
        let all: Vec<usize> = (0..stuck.len()).collect();
        edits.whole = search.smallest(&all);
        for at in 0..stuck.len().min(MOST_SINGLE) {
            if edits.single[at].is_some() {
                continue;
            }
            let same: Vec<usize> =
                all.iter().copied().filter(|other| stuck[*other].why == stuck[at].why).collect();
            if same.first() == Some(&at)
                && let Some(edit) = search.smallest(&same)
            {
                for other in same {
                    edits.single[other] = Some(edit.clone());
                }
            } else {
                edits.single[at] = search.smallest(&[at]);
            }
        }
        edits
    }
}

/// The stuck installs of a channel, and the edits that could unblock them.
struct Search<'s, 't, 'c> {
    trial: Trial<'t, 'c>,
    head: &'s str,
    names: Vec<&'s str>,
    removals: Vec<Option<ChannelEdit>>,
}

impl Search<'_, '_, '_> {
    /// The smallest edit that unblocks these installs.
    fn smallest(&self, installs: &[usize]) -> Option<ChannelEdit> {
        let names: Vec<&str> = installs.iter().map(|at| self.names[*at]).collect();
        let addition = ChannelEdit::skips(&self.trial, &names, self.head);
        if addition.as_ref().is_some_and(|edit| edit.size() == 1) {
            return addition;
        }
        let mut removals: Vec<&ChannelEdit> =
            installs.iter().filter_map(|at| self.removals[*at].as_ref()).collect();
        removals.sort();
        removals.dedup();
        let mut removals = removals.into_iter().take(MOST_SINGLE);
        removals.find(|edit| edit.unblocks(&self.trial, &names)).cloned().or(addition)
    }
}

/// An edit that lets OLM install the target again: its only skipper no longer skips it.
fn removal(stuck: &Stuck<'_>, can_be_removed: impl Fn(&str, &str) -> bool) -> Option<ChannelEdit> {
    match &stuck.why {
        Why::Skipped { target, by } if by.len() == 1 && can_be_removed(by[0], target) => {
            Some(ChannelEdit::RemoveSkip { entry: by[0].to_owned(), name: (*target).to_owned() })
        }
        _ => None,
    }
}

impl ChannelEdit {
    /// The edit that lets some installs reach the head because `entry` skips them, in the shortest
    /// form.
    pub(crate) fn skips(trial: &Trial<'_, '_>, names: &[&str], entry: &str) -> Option<Self> {
        let skips = trial.skips_that_unblock(names, entry);
        let are_few = skips.as_ref().is_some_and(|skips| skips.len() <= MANY_SKIPS);
        let entry = entry.to_owned();
        let range = if are_few { None } else { trial.range_that_unblocks(names, &entry) };
        match (range, skips) {
            (Some(range), _) => Some(Self::SetSkipRange { entry, range: range.text().to_owned() }),
            (None, names) => Some(Self::AddSkips { entry, names: names? }),
        }
    }

    /// The entry that is edited.
    pub(crate) fn entry(&self) -> &str {
        let (Self::AddSkips { entry, .. }
        | Self::SetSkipRange { entry, .. }
        | Self::RemoveSkip { entry, .. }) = self;
        entry
    }

    /// The edit as a request. Names are not shortened, so that somebody can copy them.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::AddSkips { entry, names } => {
                format!("add {} to the `skips` of `{entry}`", list_all(&quoted(names), "and"))
            }
            Self::SetSkipRange { entry, range } => {
                format!("give `{entry}` the `skipRange: '{range}'`")
            }
            Self::RemoveSkip { entry, name } => {
                format!("remove `{name}` from the `skips` of `{entry}`")
            }
        }
    }

    /// How many values the edit changes. A new range counts as two: the key and the value.
    fn size(&self) -> usize {
        match self {
            Self::AddSkips { names, .. } => names.len(),
            Self::SetSkipRange { .. } => 2,
            Self::RemoveSkip { .. } => 1,
        }
    }

    fn unblocks(&self, trial: &Trial<'_, '_>, names: &[&str]) -> bool {
        trial.unblocks(names, |channel| self.apply(channel))
    }

    /// Applies the edit to the channel of the entry.
    pub(crate) fn apply(&self, channel: &mut CatalogChannel) {
        for entry in channel.entries.iter_mut().filter(|entry| entry.name == self.entry()) {
            match self {
                Self::AddSkips { names, .. } => entry.skips.extend(names.iter().cloned()),
                Self::SetSkipRange { range, .. } => entry.skip_range = Range::parse(range).ok(),
                Self::RemoveSkip { name, .. } => entry.skips.retain(|skip| skip != name),
            }
        }
    }
}
