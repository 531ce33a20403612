//! Ranges that rules suggest, tried first.

use crate::catalog::package::Entry;
use crate::catalog::simulation::{ChannelMoves, Trial};
use crate::catalog::version::{BundleVersion, Range};

use super::shared::{is_empty, version_of};

/// Whether an entry can have a range as its `skipRange`: no rule objects to it, and no install gets
/// stuck or gets a lower version.
pub(super) fn can_have_range(moves: &ChannelMoves<'_>, entry: &str, range: &Range) -> bool {
    let version = moves.named(entry).and_then(|node| version_of(moves, node));
    let contains_itself = version.is_none_or(|own| range.contains(&own.version));
    if contains_itself || !range.has_lower_bound() || is_empty(range) {
        return false;
    }
    Trial::new(moves).harms_nobody(|channel| {
        for edited in channel.entries.iter_mut().filter(|edited| edited.name == entry) {
            edited.skip_range = Some(range.clone());
        }
    })
}

/// The range of an entry with another end: versions below one. Only a range with one part is changed.
pub(super) fn range_up_to(
    moves: &ChannelMoves<'_>,
    entry: &Entry,
    end: &BundleVersion,
) -> Option<String> {
    let text = entry.skip_range.as_ref()?.text();
    let start = text.split('<').next().map_or("", str::trim);
    if text.contains("||") || !start.starts_with('>') || start.contains(char::is_whitespace) {
        return None;
    }
    let range = format!("{start} <{}", end.version.without_build());
    let parsed = Range::parse(&range).ok()?;
    can_have_range(moves, &entry.name, &parsed).then_some(range)
}
