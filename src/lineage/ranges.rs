//! The ranges that new releases of a minor were built with, and when.

use std::collections::HashMap;

use crate::domain::{Arch, Minor, Named};
use crate::graph_data::{BuildSuggestions, GraphData, Ranges};
use crate::history::{History, Moment};

use super::enabled::DAY;

/// The ranges of every minor, over time.
#[derive(Debug)]
pub(super) struct RangesOverTime(HashMap<Minor, Vec<(i64, BuildSuggestions)>>);

/// The ranges that a release was built with.
#[derive(Debug)]
pub(super) struct AtTheTime<'r> {
    /// Most likely these.
    pub(super) likely: &'r Ranges,
    /// It may have been these, too.
    pub(super) others: Vec<&'r Ranges>,
    /// Whether there were any at the time: else it may have been any at all.
    pub(super) is_known: bool,
}

/// Releases are enabled some days after they are built: about so many.
const LEAD: i64 = 5 * DAY / 2;
/// Hardly ever more than so many.
const LONGEST_LEAD: i64 = 4 * DAY;

impl RangesOverTime {
    /// What the history tells; today's, where it tells nothing.
    pub(super) fn of(data: &GraphData, history: Option<&History>) -> Self {
        let mut all: HashMap<Minor, Vec<(i64, BuildSuggestions)>> = HashMap::new();
        let past = history.iter().flat_map(|history| {
            history.suggestions.iter().map(|past| (past, history.moment(past.since).time))
        });
        for (past, since) in past {
            let Some(minor) = Minor::parse(&past.minor) else { continue };
            if let Some(ranges) = BuildSuggestions::of_the_past(minor, &past.text) {
                all.entry(minor).or_default().push((since, ranges));
            }
        }
        for today in &data.suggestions {
            all.entry(today.minor).or_insert_with(|| vec![(i64::MIN, today.clone())]);
        }
        Self(all)
    }

    /// Whether a minor has any.
    pub(super) fn knows(&self, minor: Minor) -> bool {
        self.0.contains_key(&minor)
    }

    /// The ranges that a release of a minor was built with, if it was enabled then.
    pub(super) fn at(&self, minor: Minor, enabled: Moment, arch: Arch) -> Option<AtTheTime<'_>> {
        let past = self.0.get(&minor)?;
        // A file that came late tells of the time before too, as far as it goes.
        let standing = |time: i64| past.partition_point(|(since, _)| *since <= time).max(1) - 1;
        let likely = standing(enabled.time - LEAD);
        let possible = standing(enabled.time - LONGEST_LEAD)..=standing(enabled.time);
        let ranges = |at: usize| past[at].1.for_arch(arch);
        let others = possible.filter(|at| *at != likely).filter_map(ranges).collect();
        // Today's ranges, which no history dates, tell little of older releases.
        let is_known =
            past.first().is_some_and(|(since, _)| (i64::MIN + 1..=enabled.time).contains(since));
        Some(AtTheTime { likely: ranges(likely)?, others, is_known })
    }

    /// The minors that some file has ranges for one architecture of.
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

    /// The architectures that some file has ranges of their own for, and one of the others.
    pub(super) fn architectures(&self) -> Vec<Arch> {
        let entries = self.0.values().flatten().flat_map(|(_, file)| &file.entries);
        let named: Vec<&str> = entries.map(|ranges| ranges.arch.as_str()).collect();
        let (mut own, others): (Vec<Arch>, Vec<Arch>) =
            Arch::ALL.iter().copied().partition(|arch| named.contains(&arch.name()));
        own.extend(others.first());
        own
    }
}
