//! One edit of a channel that unblocks installs.

use crate::text::words::{list_all, quoted};

use super::super::package::Channel;
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

/// For more stuck installs of a channel, only an edit that unblocks all is looked for.
const MOST_SINGLE: usize = 100;

/// A `skipRange` takes the place of more skips than these.
const MANY_SKIPS: usize = 4;

/// What unblocks the stuck installs of a channel.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// For each stuck install, the smallest edit that unblocks it and strands nobody. Installs with the
    /// same cause share an edit that unblocks all of them.
    pub single: Vec<Option<ChannelEdit>>,
    /// One edit that unblocks all of them.
    pub whole: Option<ChannelEdit>,
}

impl Edits {
    /// Looks for edits that unblock the stuck installs.
    pub fn of(moves: &ChannelMoves<'_>, stuck: &[Stuck<'_>]) -> Self {
        Self::without_skips(moves, stuck, |_, _| true)
    }

    /// Looks for edits. Of the skips, given by an entry and a name, only some can be removed.
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

/// Stuck installs of a channel, and what could unblock them.
struct Search<'s, 't, 'c> {
    trial: Trial<'t, 'c>,
    head: &'s str,
    names: Vec<&'s str>,
    removals: Vec<Option<ChannelEdit>>,
}

impl Search<'_, '_, '_> {
    /// The smallest edit that unblocks some of the stuck installs.
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

/// The target would be installed again if its only skipper did not skip it.
fn removal(stuck: &Stuck<'_>, can_be_removed: impl Fn(&str, &str) -> bool) -> Option<ChannelEdit> {
    match &stuck.why {
        Why::Skipped { target, by } if by.len() == 1 && can_be_removed(by[0], target) => {
            Some(ChannelEdit::RemoveSkip { entry: by[0].to_owned(), name: (*target).to_owned() })
        }
        _ => None,
    }
}

impl ChannelEdit {
    /// What an entry must skip so that some installs reach the head, in the shortest form.
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

    /// The edit as a request. Names are whole, so that somebody can copy them.
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

    /// How many values it changes. A range is one, with its key.
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

    /// Edits the channel that the entry is in.
    pub(crate) fn apply(&self, channel: &mut Channel) {
        for entry in channel.entries.iter_mut().filter(|entry| entry.name == self.entry()) {
            match self {
                Self::AddSkips { names, .. } => entry.skips.extend(names.iter().cloned()),
                Self::SetSkipRange { range, .. } => entry.skip_range = Range::parse(range).ok(),
                Self::RemoveSkip { name, .. } => entry.skips.retain(|skip| skip != name),
            }
        }
    }
}
