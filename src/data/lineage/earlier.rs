//! Predictions for an earlier state of a repository. Many of them are also right for a later state,
//! if the two states differ only in releases that are not in the history.

use std::ops::Range;
use std::sync::Arc;

use crate::domain::Arch;
use crate::graph_data::{BuildSuggestions, GraphData, Release, ReleaseId, ReleasePairs, Releases};
use crate::history::History;

use super::enabled::FirstListed;
use super::prediction::{PredictedTarget, Prediction};
use super::ranges::RangesOverTime;

/// All predictions for one state of a repository.
#[derive(Debug)]
pub(crate) struct Predictions {
    pub(super) releases: Arc<Releases>,
    pub(super) suggestions: Arc<Vec<BuildSuggestions>>,
    pub(super) first_listed: Arc<FirstListed>,
    pub(super) ranges: Arc<RangesOverTime>,
    /// The predictions for each architecture, in parts, in order of targets.
    pub(super) by_arch: Vec<(Arch, Vec<Prediction>)>,
}

/// Predictions for another state of the repository, of which some are right for this one.
#[derive(Debug)]
pub(super) struct EarlierPredictions<'e> {
    all: &'e Predictions,
    pairs: ReleasePairs,
}

impl Predictions {
    /// Prepares these predictions for another state of the repository with the same history. None
    /// if none of them can be reused.
    pub(super) fn before<'e>(
        &'e self,
        data: &GraphData,
        history: &History,
    ) -> Option<EarlierPredictions<'e>> {
        if !history.is_whole || !Arc::ptr_eq(&self.suggestions, &data.suggestions) {
            return None;
        }
        let pairs = ReleasePairs::between(&self.releases, &data.releases);
        // What the history says about a release can also matter to others.
        let is_known = |release: &Release| history.names(&release.text);
        let are_known = pairs.gone.iter().any(|id| is_known(self.releases.get(*id)))
            || pairs.added.iter().any(|id| is_known(data.releases.get(*id)));
        (!are_known).then_some(EarlierPredictions { all: self, pairs })
    }

    /// The place of a target, and the part that has it.
    fn find(&self, target: ReleaseId, arch: Arch) -> Option<(&PredictedTarget, &Prediction)> {
        let (_, parts) = self.by_arch.iter().find(|(one, _)| *one == arch)?;
        let is_before = |part: &Prediction| part.targets.last().is_none_or(|at| at.target < target);
        let part = parts.get(parts.partition_point(is_before))?;
        let at = part.targets.binary_search_by_key(&target, |at| at.target).ok()?;
        Some((&part.targets[at], part))
    }
}

impl EarlierPredictions<'_> {
    /// What depends on the history and the ranges only.
    pub(super) fn of_history(&self) -> (Arc<FirstListed>, Arc<RangesOverTime>) {
        (Arc::clone(&self.all.first_listed), Arc::clone(&self.all.ranges))
    }

    /// Adds the updates to a target with these possible origins. Returns whether they are known.
    pub(super) fn add_to(
        &self,
        target: ReleaseId,
        origins: &Range<ReleaseId>,
        arch: Arch,
        prediction: &mut Prediction,
    ) -> bool {
        let Some(before) = self.same_before(target, origins) else { return false };
        let Some((at, part)) = self.all.find(before.end, arch) else { return false };
        let distance = |from: ReleaseId| before.end.index() - from.index();
        let place = |from: ReleaseId| ReleaseId::at(target.index() - distance(from));
        let updates = from_origins(&part.updates[at.updates.clone()], &before, |one| one.0);
        let updates =
            updates.iter().map(|(from, _, is_certain)| (place(*from), target, *is_certain));
        prediction.updates.extend(updates);
        let unlikely = from_origins(&part.unlikely[at.unlikely.clone()], &before, |one| one.0);
        prediction.unlikely.extend(unlikely.iter().map(|(from, _)| (place(*from), target)));
        true
    }

    /// The earlier releases from the first of the possible origins up to the target. None if they
    /// are not the same.
    fn same_before(
        &self,
        target: ReleaseId,
        origins: &Range<ReleaseId>,
    ) -> Option<Range<ReleaseId>> {
        let releases = origins.start.min(target)..target;
        let before = self.pairs.before[releases.start]?..self.pairs.before[target]?;
        let length = |range: &Range<ReleaseId>| range.end.index() - range.start.index();
        let are_same = length(&before) == length(&releases)
            && !self.pairs.added.iter().any(|added| releases.contains(added));
        are_same.then_some(before)
    }
}

/// The updates from some origins, of a list in order of origins.
fn from_origins<'u, T>(
    updates: &'u [T],
    origins: &Range<ReleaseId>,
    origin: impl Fn(&T) -> ReleaseId,
) -> &'u [T] {
    let place = |id: ReleaseId| updates.partition_point(|one| origin(one) < id);
    &updates[place(origins.start)..place(origins.end)]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::domain::Arch;
    use crate::graph_data::GraphData;
    use crate::history::{History, Suggestions};
    use crate::lineage::{Lineage, Past};
    use crate::tree::Blob;

    const MINORS: std::ops::Range<u64> = 5..9;

    /// The releases of a minor, in the order of enabling: they alternate with those of other
    /// minors.
    fn releases(minor: u64) -> Vec<String> {
        let pre_releases = (0..3).map(|number| format!("4.{minor}.0-rc.{number}"));
        pre_releases.chain((0..15).map(|patch| format!("4.{minor}.{patch}"))).collect()
    }

    /// The releases that each channel has, without one of them.
    fn channels(without: Option<&str>) -> Vec<(String, Vec<String>)> {
        let mut channels = Vec::new();
        for minor in MINORS {
            let mut all = releases(minor - 1);
            all.extend(releases(minor));
            all.retain(|release| Some(release.as_str()) != without);
            for phase in ["candidate", "fast"] {
                channels.push((format!("channels/{phase}-4.{minor}"), all.clone()));
            }
        }
        channels
    }

    fn ranges(minor: u64) -> String {
        let before = minor - 1;
        format!(
            "default:\n  minor_min: 4.{before}.3\n  minor_max: 4.{before}.9999\n  minor_block_list: []\n  \
             z_min: 4.{minor}.0-rc.0\n  z_max: 4.{minor}.9999\n  z_block_list: [4.{minor}.2]\n"
        )
    }

    fn files(without: Option<&str>) -> Vec<Blob> {
        let mut files: Vec<Blob> = MINORS
            .map(|minor| {
                let text = ranges(minor).into_bytes();
                Blob::new(format!("build-suggestions/4.{minor}.yaml"), Ok(text))
            })
            .collect();
        files.extend(channels(without).into_iter().map(|(path, releases)| {
            let name = path.trim_start_matches("channels/");
            let text = format!("name: {name}\nversions:\n- {}\n", releases.join("\n- "));
            Blob::new(format!("{path}.yaml"), Ok(text.into_bytes()))
        }));
        files
    }

    /// A release is enabled every two days from 2020-06 on, and joins `fast` two days later.
    fn history(without: &str) -> History {
        let mut history = History { is_whole: true, ..History::default() };
        history.times = (0..400).map(|place| 1_590_969_600 + place * 48 * 3600).collect();
        for (channel, releases) in channels(Some(without)) {
            let wait = u32::from(channel.contains("fast"));
            let joined = releases.iter().zip(3..).map(|(release, place)| {
                let minor: u32 = release[2..3].parse().unwrap_or_default();
                (Arc::from(release.as_str()), place * 4 + minor % 4 + wait)
            });
            history.joined.insert(channel, joined.collect());
        }
        let suggestions = MINORS.map(|minor| Suggestions {
            minor: format!("4.{minor}"),
            since: 0,
            text: ranges(minor),
        });
        history.suggestions = suggestions.collect();
        history
    }

    fn past(history: &History) -> Past {
        let mut past = Past::default();
        past.history = Some(Arc::new(history.clone()));
        past
    }

    fn told(lineage: &Lineage) -> Vec<String> {
        let text = |id| lineage.nodes[id].version.to_string();
        let updates = lineage.updates.iter();
        let updates = updates
            .map(|one| format!("{} -> {} {:?}", text(one.from), text(one.to), one.knowledge));
        let unlikely = lineage.unlikely.iter();
        updates
            .chain(unlikely.map(|(from, to)| format!("{} -/> {}", text(*from), text(*to))))
            .collect()
    }

    #[test]
    fn predictions_after_an_edit_are_those_without_an_earlier_state() {
        let mut seen = 0;
        for release in MINORS.flat_map(releases) {
            let history = history(&release);
            let past = past(&history);
            let whole = GraphData::from_blobs(files(None));
            let smaller = whole.another(files(Some(&release)));
            for (before, after) in [(&whole, &smaller), (&smaller, &whole)] {
                let arch = [Arch::default()];
                let (_, earlier) = Lineage::predicted_after(None, before, &past, &arch);
                let earlier_is_used = earlier.before(after, &history).is_some();
                assert!(earlier_is_used, "{release}");
                let (lineage, _) = Lineage::predicted_after(Some(&earlier), after, &past, &arch);
                let expected = told(&Lineage::predicted(after, &past, &arch));
                assert_eq!(told(&lineage), expected, "{release}");
                seen += expected.len();
            }
        }
        assert!(seen > 10_000, "{seen}");
    }

    #[test]
    fn what_the_history_knows_is_predicted_again() {
        let history = history("4.5.0");
        let past = past(&history);
        let whole = GraphData::from_blobs(files(None));
        let (_, earlier) = Lineage::predicted_after(None, &whole, &past, &[Arch::default()]);
        let smaller = whole.another(files(Some("4.6.3")));
        assert!(earlier.before(&smaller, &history).is_none());
    }
}
