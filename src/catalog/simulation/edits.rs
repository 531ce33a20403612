//! One edit of a channel that frees installs.

use super::super::package::Channel;
use super::super::version::Range;
use super::{ChannelMoves, Resolver, Stuck, Trial, Why};

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

/// For more stuck installs of a channel, only an edit that frees all is looked for.
const MOST_SINGLE: usize = 100;

/// A `skipRange` takes the place of more skips than these.
const MANY_SKIPS: usize = 4;

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
        Self::without_skips(moves, stuck, |_, _| true)
    }

    /// Looks for edits. Of the skips, given by an entry and a name, only some can be removed.
    #[must_use]
    pub(crate) fn without_skips(
        moves: &ChannelMoves<'_>,
        stuck: &[Stuck<'_>],
        can_be_removed: impl Fn(&str, &str) -> bool,
    ) -> Self {
        let removal = |stuck| removal(stuck, &can_be_removed);
        let none = || Self { single: vec![None; stuck.len()], whole: None };
        let (Resolver::V0, [head], false) =
            (moves.resolver, moves.heads.as_slice(), stuck.is_empty())
        else {
            return none();
        };
        let trial = Trial::new(moves);
        let head = moves.name(*head);
        let mut edits = none();
        for (stuck, edit) in stuck.iter().zip(&mut edits.single).take(MOST_SINGLE) {
            let name = [moves.name(stuck.install)];
            *edit = removal(stuck).filter(|edit| edit.frees(&trial, &name));
            *edit = edit.take().or_else(|| ChannelEdit::skips(&trial, &name, head));
        }
        let all: Vec<&str> = stuck.iter().map(|stuck| moves.name(stuck.install)).collect();
        let mut removals: Vec<ChannelEdit> = stuck.iter().filter_map(removal).collect();
        removals.sort();
        removals.dedup();
        edits.whole = removals
            .into_iter()
            .take(MOST_SINGLE)
            .find(|edit| edit.frees(&trial, &all))
            .or_else(|| ChannelEdit::skips(&trial, &all, head));
        edits
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
        let skips = trial.skips_that_free(names, entry);
        let are_few = skips.as_ref().is_some_and(|skips| skips.len() <= MANY_SKIPS);
        let entry = entry.to_owned();
        let range = if are_few { None } else { trial.range_that_frees(names, &entry) };
        match (range, skips) {
            (Some(range), _) => Some(Self::SetSkipRange { entry, range: range.text().to_owned() }),
            (None, names) => Some(Self::AddSkips { entry, names: names? }),
        }
    }

    fn frees(&self, trial: &Trial<'_, '_>, names: &[&str]) -> bool {
        trial.frees(names, |channel| self.apply(channel))
    }

    /// Edits the channel that the entry is in.
    fn apply(&self, channel: &mut Channel) {
        let (Self::AddSkips { entry: edited, .. }
        | Self::SetSkipRange { entry: edited, .. }
        | Self::RemoveSkip { entry: edited, .. }) = self;
        for entry in channel.entries.iter_mut().filter(|entry| entry.name == *edited) {
            match self {
                Self::AddSkips { names, .. } => entry.skips.extend(names.iter().cloned()),
                Self::SetSkipRange { range, .. } => entry.skip_range = Range::parse(range).ok(),
                Self::RemoveSkip { name, .. } => entry.skips.retain(|skip| skip != name),
            }
        }
    }
}
