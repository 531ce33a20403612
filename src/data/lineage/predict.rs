//! Predicts the updates that release images list, from the repository alone.
//!
//! A release is built with the ranges of `build-suggestions/`: it lists the releases in these
//! ranges that exist at the time. The history says which ones existed: when each was enabled, and
//! when each joined the channels of the next minor.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::domain::{Arch, HashMap, Minor, each_id};
use crate::graph_data::{GraphData, Ranges, ReleaseId};
use crate::history::History;

use super::earlier::EarlierPredictions;
use super::enabled::{DAY, Enabled, FirstListed};
use super::prediction::{PredictedTarget, Prediction};
use super::promotions::Promotions;
use super::ranges::{PossibleRanges, RangesOverTime};

/// The data for predictions, computed once for all architectures.
#[derive(Debug)]
pub(super) struct Predictor<'d> {
    data: &'d GraphData,
    history: Option<&'d History>,
    pub(super) enabled: Enabled,
    first_listed: Arc<FirstListed>,
    ranges: Arc<RangesOverTime>,
    promotions: HashMap<Minor, OnceLock<Promotions>>,
    /// What was predicted for another state of the repository.
    earlier: Option<&'d EarlierPredictions<'d>>,
}

/// If releases of two minors are enabled within this time of each other, either may have been built
/// first. Minors are released weekly, so with a greater distance they are from different weeks.
const BATCH: i64 = 5 * DAY;
/// The builds of a week begin with the older minor. So a release of the older minor that is enabled
/// at most this much later than one of the next minor probably existed before it.
const SAME_BATCH: i64 = 13 * DAY / 10;

/// A general release that is proposed this much later than a newer one of its minor did not exist
/// when the newer one was built.
const OUT_OF_ORDER: i64 = 10 * DAY;
/// 2021-03-01. In production's answers, releases that were enabled before this day list only the
/// last few releases of their minor.
const LISTS_ALL_SINCE: i64 = 1_614_556_800;
/// About how many releases of their minor those releases list.
const LISTED_BEFORE: usize = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guess {
    leads: bool,
    is_certain: bool,
}

impl Guess {
    fn certain(leads: bool) -> Self {
        Self { leads, is_certain: true }
    }

    fn uncertain(leads: bool) -> Self {
        Self { leads, is_certain: false }
    }
}

impl<'d> Predictor<'d> {
    pub(super) fn new(
        data: &'d GraphData,
        history: Option<&'d History>,
        earlier: Option<&'d EarlierPredictions<'d>>,
    ) -> Self {
        let (first_listed, ranges) = match earlier {
            Some(earlier) => earlier.of_history(),
            None => {
                (Arc::new(FirstListed::of(history)), Arc::new(RangesOverTime::of(data, history)))
            }
        };
        let enabled = Enabled::with(data, history, &first_listed);
        let minors = data.suggestions.iter().map(|suggestions| suggestions.minor);
        let promotions = minors.map(|minor| (minor, OnceLock::new())).collect();
        Self { data, history, enabled, first_listed, ranges, promotions, earlier }
    }

    /// What depends on the history and the ranges only.
    pub(super) fn of_history(&self) -> (Arc<FirstListed>, Arc<RangesOverTime>) {
        (Arc::clone(&self.first_listed), Arc::clone(&self.ranges))
    }

    /// What promotions show about updates to a minor.
    fn promotions(&self, minor: Minor) -> Option<&Promotions> {
        let (known, history) = (self.promotions.get(&minor)?, self.history?);
        Some(known.get_or_init(|| Promotions::of(self.data, history, &self.enabled, minor)))
    }

    /// The architectures that need a separate prediction, and one that represents all others.
    pub(super) fn architectures(&self) -> Vec<Arch> {
        self.ranges.architectures()
    }

    /// The minors with separate ranges for some architecture.
    pub(super) fn minors_that_differ(&self) -> Vec<Minor> {
        self.ranges.minors_that_differ()
    }

    /// Whether anything is known about the origins of a minor's releases.
    pub(super) fn knows(&self, minor: Minor) -> bool {
        self.ranges.knows(minor)
    }

    /// Predicts updates in order of targets. The result is in parts, because one list would need
    /// twice the memory.
    pub(super) fn predict(&self, arch: Arch) -> Vec<Prediction> {
        let targets: Vec<ReleaseId> = self.data.releases.iter().map(|(id, _)| id).collect();
        let predictions =
            targets.into_par_iter().fold(Prediction::default, |mut so_far, target| {
                let (updates, unlikely) = (so_far.updates.len(), so_far.unlikely.len());
                self.predict_to(target, arch, &mut so_far);
                let updates = updates..so_far.updates.len();
                let unlikely = unlikely..so_far.unlikely.len();
                so_far.targets.push(PredictedTarget { target, updates, unlikely });
                so_far
            });
        predictions.collect()
    }

    fn predict_to(&self, to: ReleaseId, arch: Arch, prediction: &mut Prediction) {
        let version = &self.data.releases.get(to).version;
        let minor = Minor::of(version);
        let Some(ranges) = self.ranges.at(minor, self.enabled.proposed(to), arch) else { return };
        let PossibleRanges { likely, others, is_known } = ranges;
        let possible = [likely].into_iter().chain(others.iter().copied());
        let origins = if is_known {
            self.origins(to, possible)
        } else {
            self.data.releases.possible_origins(version)
        };
        if self.earlier.is_some_and(|earlier| earlier.add_to(to, &origins, arch, prediction)) {
            return;
        }
        let promotions = self.promotions(minor);
        // The origins of these special builds cannot be predicted.
        let is_special = ["hotfix", "assembly"].iter().any(|word| version.pre.contains(word));
        for from in each_id(origins) {
            let version = &self.data.releases.get(from).version;
            let is_own_minor = Minor::of(version) == minor;
            let holds = |ranges: &Ranges| {
                let range = if is_own_minor { &ranges.z } else { &ranges.minor };
                range.holds(version)
            };
            let in_likely = holds(likely);
            let in_all = is_known && others.iter().all(|other| holds(other) == in_likely);
            let guess = if is_special {
                Guess::uncertain(false)
            } else if is_own_minor {
                self.guess_within_minor(from, to)
            } else {
                self.guess_between_minors(from, to, promotions)
            };
            let guess = Guess {
                leads: guess.leads && in_likely,
                // If the origin did not exist yet, the ranges do not matter.
                is_certain: guess.is_certain && (in_all || !guess.leads),
            };
            match guess {
                Guess { leads: true, is_certain } => {
                    prediction.updates.push((from, to, is_certain));
                }
                Guess { is_certain: false, .. } if in_likely || !in_all => {
                    prediction.unlikely.push((from, to));
                }
                Guess { .. } => {}
            }
        }
    }

    /// The possible origins: from the oldest release in any of the ranges up to the target.
    fn origins<'r>(
        &self,
        to: ReleaseId,
        ranges: impl Iterator<Item = &'r Ranges>,
    ) -> Range<ReleaseId> {
        let releases = &self.data.releases;
        let bounds = ranges.flat_map(|ranges| [&ranges.z, &ranges.minor]);
        let spans = bounds.filter_map(|range| {
            let (min, max) = (range.min.as_ref()?, range.max.as_ref()?);
            Some(releases.between_versions(&min.value, &max.value))
        });
        let first = spans.filter(|span| !span.is_empty()).map(|span| span.start).min();
        first.unwrap_or(to)..to
    }

    fn guess_within_minor(&self, from: ReleaseId, to: ReleaseId) -> Guess {
        if self.are_general(from, to) {
            self.guess_patch(from, to)
        } else {
            self.guess_pre_release(from, to)
        }
    }

    fn are_general(&self, from: ReleaseId, to: ReleaseId) -> bool {
        let is_general = |id| self.data.releases.get(id).is_general();
        is_general(from) && is_general(to)
    }

    fn guess_between_minors(
        &self,
        from: ReleaseId,
        to: ReleaseId,
        promotions: Option<&Promotions>,
    ) -> Guess {
        let promotions = promotions.filter(|_| self.are_general(from, to));
        if let Some(leads) = promotions.and_then(|all| all.leads(&self.enabled, from, to)) {
            return Guess::certain(leads);
        }
        let lead = self.enabled.built_by(to) - self.enabled.built_by(from);
        let is_hinted_at = || promotions.is_some_and(|all| all.hints_at(&self.enabled, from, to));
        if lead.abs() > BATCH {
            let leads = lead > 0;
            return Guess { leads, is_certain: leads || !is_hinted_at() };
        }
        // Pre-releases are not built in the order of the week: in production's answers, none lists
        // a release of the older minor that is proposed later.
        let slack = if self.data.releases.get(to).is_general() { SAME_BATCH } else { 0 };
        Guess::uncertain(lead >= -slack)
    }

    /// Guesses within a minor. General releases are built in order of version.
    fn guess_patch(&self, from: ReleaseId, to: ReleaseId) -> Guess {
        let releases = &self.data.releases;
        let mut listed = each_id(from..to).filter(|id| releases.get(*id).is_general());
        if self.enabled.is_before(to, LISTS_ALL_SINCE) && listed.nth(LISTED_BEFORE).is_some() {
            return Guess::uncertain(false);
        }
        let lead = self.enabled.proposed(to) - self.enabled.proposed(from);
        Guess::certain(lead >= -OUT_OF_ORDER)
    }

    /// Guesses within a minor. Pre-releases are not built in order of version, and some are built
    /// at the same time.
    fn guess_pre_release(&self, from: ReleaseId, to: ReleaseId) -> Guess {
        let lead = self.enabled.proposed(to) - self.enabled.proposed(from);
        if (0..BATCH).contains(&lead) { Guess::uncertain(true) } else { Guess::certain(lead >= 0) }
    }
}
