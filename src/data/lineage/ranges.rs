//! Finds the ranges that a release was built with.

use crate::domain::{Arch, HashMap, Minor, Named};
use crate::graph_data::{BuildSuggestions, GraphData, Ranges};
use crate::history::History;

use super::enabled::DAY;

/// The ranges of each minor, each with the time of its beginning in seconds since 1970, oldest
/// first.
#[derive(Debug)]
pub(super) struct RangesOverTime(HashMap<Minor, Vec<(i64, BuildSuggestions)>>);

/// The ranges that a release may have been built with.
#[derive(Debug)]
pub(super) struct PossibleRanges<'r> {
    /// The most likely ranges.
    pub(super) likely: &'r Ranges,
    /// Other possible ranges.
    pub(super) others: Vec<&'r Ranges>,
    /// Whether there were ranges at the time. If not, it may have been built with any ranges.
    pub(super) is_known: bool,
}

/// Releases are proposed about this long after they are built. With half a day or a day,
/// predictions agree better with production, and with the lists that commit messages quote, than
/// with more.
const LEAD: i64 = DAY;
/// Releases are hardly ever proposed later than this after they are built.
const LONGEST_LEAD: i64 = 4 * DAY;

impl RangesOverTime {
    /// Reads ranges from the history. For minors without history, uses today's ranges.
    pub(super) fn of(data: &GraphData, history: Option<&History>) -> Self {
        let mut all: HashMap<Minor, Vec<(i64, BuildSuggestions)>> = HashMap::default();
        let past = history.iter().flat_map(|history| {
            history.suggestions.iter().map(|past| (past, history.moment(past.since).time))
        });
        for (past, since) in past {
            let Some(minor) = Minor::parse(&past.minor) else { continue };
            if let Some(ranges) = BuildSuggestions::of_the_past(minor, &past.text) {
                all.entry(minor).or_default().push((since, ranges));
            }
        }
        for today in data.suggestions.iter() {
            all.entry(today.minor).or_insert_with(|| vec![(i64::MIN, today.clone())]);
        }
        Self(all)
    }

    /// Whether a minor has any ranges.
    pub(super) fn knows(&self, minor: Minor) -> bool {
        self.0.contains_key(&minor)
    }

    /// The ranges of a release of a minor, if it was proposed at this time.
    pub(super) fn at(&self, minor: Minor, proposed: i64, arch: Arch) -> Option<PossibleRanges<'_>> {
        let past = self.0.get(&minor)?;
        // Before the first ranges, the first ranges are the best guess.
        let in_effect_at = |time: i64| past.partition_point(|(since, _)| *since <= time).max(1) - 1;
        let likely = in_effect_at(proposed.saturating_sub(LEAD));
        let possible = in_effect_at(proposed.saturating_sub(LONGEST_LEAD))..=in_effect_at(proposed);
        let ranges = |at: usize| past[at].1.for_arch(arch);
        let others = possible.filter(|at| *at != likely).filter_map(ranges).collect();
        // Today's ranges without a date say little about older releases.
        let is_known =
            past.first().is_some_and(|(since, _)| (i64::MIN + 1..=proposed).contains(since));
        Some(PossibleRanges { likely: ranges(likely)?, others, is_known })
    }

    /// The minors with separate ranges for some architecture.
    pub(super) fn minors_that_differ(&self) -> Vec<Minor> {
        let is_own = |ranges: &Ranges| Arch::named(&ranges.arch).is_some();
        let differs = |files: &[(i64, BuildSuggestions)]| {
            files.iter().any(|(_, file)| file.entries.iter().any(is_own))
        };
        let mut minors: Vec<Minor> =
            self.0.iter().filter(|(_, files)| differs(files)).map(|(minor, _)| *minor).collect();
        minors.sort_unstable();
        minors
    }

    /// The architectures with separate ranges for some minor, and the first of the others.
    pub(super) fn architectures(&self) -> Vec<Arch> {
        let entries = self.0.values().flatten().flat_map(|(_, file)| &file.entries);
        let named: Vec<&str> = entries.map(|ranges| ranges.arch.as_str()).collect();
        let (mut own, others): (Vec<Arch>, Vec<Arch>) =
            Arch::ALL.iter().copied().partition(|arch| named.contains(&arch.name()));
        own.extend(others.first());
        own
    }
}
