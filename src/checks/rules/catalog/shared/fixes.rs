//! Fixes of the entries of channels.

use crate::catalog::package::{CatalogChannel, Entry};
use crate::catalog::simulation::{ChannelEdit, ChannelMoves};
use crate::domain::{HashMap, HashSet};
use crate::edit;
use crate::go::semver::Range;
use crate::rules::{CatalogSubject, Finding, whole};
use crate::text::{Edit, Fix, is_typo_of};

/// The text edits that change entries of a channel. None if no file contains the channel in this
/// state, or if its notation cannot be edited.
pub(in crate::checks::rules::catalog) fn text_edits(
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    change: impl Fn(&mut CatalogChannel),
) -> Option<Vec<Edit>> {
    let blob = subject.places.channel(&moves.package.name, &moves.channel.name)?;
    if blob.is_inferred {
        return None;
    }
    let mut wanted = moves.channel.clone();
    change(&mut wanted);
    let edges = |entry: &Entry| {
        let range = entry.skip_range.as_ref().map(|range| range.text().to_owned());
        (entry.name.clone(), entry.replaces.clone(), entry.skips.clone(), range)
    };
    let now: HashSet<_> = moves.channel.entries.iter().map(edges).collect();
    wanted.entries.retain(|entry| !now.contains(&edges(entry)));
    let edits = edit::entry_edits(blob, &wanted, subject.sources?.get(blob.span.source))?;
    (!edits.is_empty()).then_some(edits)
}

/// Adds help that asks for edits of a channel, and the fix that makes them.
pub(in crate::checks::rules::catalog) fn help_with<'e>(
    finding: Finding,
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    edits: impl IntoIterator<Item = &'e ChannelEdit>,
) -> Finding {
    let edits: Vec<&ChannelEdit> = edits.into_iter().collect();
    let words: Vec<String> = edits.iter().map(|edit| edit.in_words()).collect();
    let words = words.join("; and ");
    let made =
        text_edits(subject, moves, |channel| edits.iter().for_each(|edit| edit.apply(channel)));
    let fix = made.map(|edits| Fix { message: words.clone(), edits });
    Finding { fix, ..finding.help(words) }
}

/// Adds the fix that corrects the `replaces` of an entry, if its name is a typo or only a version.
pub(in crate::checks::rules::catalog) fn replacing(
    finding: Finding,
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    entry: &str,
    meant: &str,
) -> Finding {
    let replaces = |edited: &&Entry| edited.name == entry;
    let now = moves.channel.entries.iter().find(replaces).map(|entry| entry.replaces.as_str());
    let is_version =
        |text: &str| text.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    if !now.is_none_or(|now| now.is_empty() || is_version(now) || is_typo_of(now, meant)) {
        return finding;
    }
    let made = text_edits(subject, moves, |channel| {
        for edited in channel.entries.iter_mut().filter(|edited| edited.name == entry) {
            meant.clone_into(&mut edited.replaces);
        }
    });
    let message = format!("write `replaces: {}`", whole(meant));
    Finding { fix: made.map(|edits| Fix { message, edits }), ..finding }
}

/// A channel, and new ranges for its entries by name.
type NewRanges<'r, 'c> = (&'r ChannelMoves<'c>, HashMap<&'c str, Range>);

/// Adds help and a fix that give entries of several channels new ranges. The help shows the range
/// of `entry` in the first channel.
pub(in crate::checks::rules::catalog) fn with_ranges(
    finding: Finding,
    subject: &CatalogSubject<'_>,
    entry: &str,
    channels: &[NewRanges<'_, '_>],
) -> Finding {
    let shown = channels.first().and_then(|(_, ranges)| ranges.get(entry));
    let Some(shown) = shown else { return finding };
    let message = format!("write `skipRange: '{}'`", shown.text());
    let made: Option<Vec<Vec<Edit>>> = channels
        .iter()
        .map(|(moves, ranges)| {
            text_edits(subject, moves, |channel| {
                for entry in &mut channel.entries {
                    if let Some(range) = ranges.get(entry.name.as_str()) {
                        entry.skip_range = Some(range.clone());
                    }
                }
            })
        })
        .collect();
    let fix = made.map(|edits| Fix { message: message.clone(), edits: edits.concat() });
    Finding { fix, ..finding.help(message) }
}
