//! The smallest edit of the next catalog that gives installs their updates back.

use crate::domain::HashSet;

use super::super::package::CatalogChannel;
use super::super::simulation::{ChannelEdit, ChannelMoves, Trial};
use super::brought::with_brought;
use super::reach_head;

/// An edit of a channel of the next catalog. Its effect was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rescue {
    /// Give this `replaces` to an entry that has none.
    Replaces {
        entry: String,
        name: String,
    },
    Edit(ChannelEdit),
    /// Copy these entries and their bundles from this catalog.
    Bring(Vec<String>),
}

/// An edit that rescues these installs, and strands nobody.
pub(super) fn of(
    now: &ChannelMoves<'_>,
    next: &ChannelMoves<'_>,
    names: &[&str],
) -> Option<Rescue> {
    let trial = Trial::new(next);
    let survivor = names.iter().find_map(|name| survivor(now, next, name));
    let head = next.heads.first().map(|head| next.name(*head));
    let mut targets: Vec<&str> = survivor.into_iter().chain(head).collect();
    targets.dedup();
    if let ([name], Some(entry)) = (names, survivor)
        && replaces(&trial, entry, name)
    {
        return Some(Rescue::Replaces { entry: entry.to_owned(), name: (*name).to_owned() });
    }
    let edits = targets.into_iter().find_map(|entry| ChannelEdit::skips(&trial, names, entry));
    edits.map(Rescue::Edit).or_else(|| bring(now, next, names))
}

/// The first entry that an install gets to by the updates of this catalog, and that the next
/// channel still has.
fn survivor<'c>(now: &ChannelMoves<'c>, next: &ChannelMoves<'_>, name: &str) -> Option<&'c str> {
    let mut at = now.named(name)?;
    let mut seen = HashSet::default();
    while seen.insert(at) {
        at = *now.moves.next(at).first()?;
        let is_kept = |kept| next.installs[kept].is_entry;
        if next.named(now.name(at)).is_some_and(is_kept) {
            return Some(now.name(at));
        }
    }
    None
}

fn replaces(trial: &Trial<'_, '_>, target: &str, name: &str) -> bool {
    let is_free = |entry: &&mut crate::catalog::package::Entry| {
        entry.name == target && entry.replaces.is_empty()
    };
    trial.unblocks(&[name], |channel: &mut CatalogChannel| {
        for entry in channel.entries.iter_mut().filter(is_free) {
            name.clone_into(&mut entry.replaces);
        }
    })
}

/// Finds the entries to copy: the lost ones or, if these are not enough, all that the next channel
/// lacks.
fn bring(now: &ChannelMoves<'_>, next: &ChannelMoves<'_>, names: &[&str]) -> Option<Rescue> {
    let has = |name: &str| next.channel.entries.iter().any(|entry| entry.name == name);
    let lacking = now.channel.entries.iter().map(|entry| entry.name.as_str());
    let lacking: Vec<&str> = lacking.filter(|name| !has(name)).collect();
    let lost: Vec<&str> = names.iter().copied().filter(|name| !has(name)).collect();
    let mut kept = next.installs.iter().filter(|install| install.is_entry);
    let all: Vec<&str> = kept.by_ref().map(|install| install.name).collect();
    let far: HashSet<&str> = next.far_from_head().into_iter().map(|node| next.name(node)).collect();
    let mut wanted: Vec<&str> = all.into_iter().filter(|name| !far.contains(name)).collect();
    wanted.extend(names);
    let saves = |brought: &Vec<&str>| {
        let reach_head = |moves: &ChannelMoves<'_>| reach_head(moves, &wanted);
        !brought.is_empty()
            && with_brought(now, next.package, next.channel, brought, reach_head).unwrap_or(false)
    };
    let found = [lost, lacking].into_iter().find(saves)?;
    Some(Rescue::Bring(found.into_iter().map(str::to_owned).collect()))
}
