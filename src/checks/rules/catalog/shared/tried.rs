//! Tries ranges before rules suggest them.

use crate::catalog::package::Entry;
use crate::catalog::simulation::{ChannelMoves, Trial};
use crate::catalog::version::BundleVersion;
use crate::domain::HashMap;
use crate::go::semver::Range;

use super::{is_empty, version_of};

/// Whether entries of a channel can have these ranges as their `skipRange`, all together: no rule
/// objects to them, and no install gets stuck or moves to a lower version.
pub(in crate::checks::rules::catalog) fn can_have_ranges(
    moves: &ChannelMoves<'_>,
    ranges: &HashMap<&str, Range>,
) -> bool {
    let is_sound = |(entry, range): (&&str, &Range)| {
        let version = moves.named(entry).and_then(|node| version_of(moves, node));
        let contains_itself = version.is_none_or(|own| range.contains(&own.version));
        !contains_itself && range.has_lower_bound() && !is_empty(range)
    };
    ranges.iter().all(is_sound)
        && Trial::new(moves).harms_nobody(|channel| {
            for entry in &mut channel.entries {
                if let Some(range) = ranges.get(entry.name.as_str()) {
                    entry.skip_range = Some(range.clone());
                }
            }
        })
}

/// The range of an entry, cut to versions below `end`. None if a trial shows that it harms
/// installs.
pub(in crate::checks::rules::catalog) fn range_up_to(
    moves: &ChannelMoves<'_>,
    entry: &Entry,
    end: &BundleVersion,
) -> Option<Range> {
    let range = cut_range(entry, end)?;
    let ranges = HashMap::from_iter([(entry.name.as_str(), range.clone())]);
    can_have_ranges(moves, &ranges).then_some(range)
}

/// The range of an entry, cut to versions below `end`. Only ranges with one part can be cut.
pub(in crate::checks::rules::catalog) fn cut_range(
    entry: &Entry,
    end: &BundleVersion,
) -> Option<Range> {
    let text = entry.skip_range.as_ref()?.text();
    let start = text.split('<').next().map_or("", str::trim);
    if text.contains("||") || !start.starts_with('>') || start.contains(char::is_whitespace) {
        return None;
    }
    Range::parse(&format!("{start} <{}", end.version.without_build())).ok()
}
