//! Releases that lack the risk of the release before, although no file says that it is fixed.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{HashMap, Minor, is_general};
use crate::graph_data::{BlockedEdge, Channel, GraphData, ReleaseId, tombstones};

use super::RiskIndex;

/// The data that decides where a risk must be extended to the next release.
#[derive(Debug)]
pub(crate) struct Continuations<'d> {
    data: &'d GraphData,
    pub(crate) risks: RiskIndex<'d>,
    /// The tombstones.
    pub(crate) withdrawn: BTreeSet<ReleaseId>,
}

/// A risk that is not declared for the next release of a public channel.
#[derive(Debug)]
pub(crate) struct MissingExtension<'d> {
    pub(crate) edge: &'d BlockedEdge,
    /// The oldest release that needs the risk.
    pub(crate) next: ReleaseId,
    /// The public channels in which it follows.
    pub(crate) channels: Vec<&'d Channel>,
}

impl<'d> Continuations<'d> {
    pub(crate) fn of(data: &'d GraphData) -> Self {
        Self { data, risks: RiskIndex::of(data), withdrawn: tombstones(data) }
    }

    /// The risks that are declared for a release of a public channel, but not for the next one, and
    /// are not fixed there. Sorted by name and release.
    pub(crate) fn missing(&self) -> impl Iterator<Item = MissingExtension<'d>> + use<'d> {
        let mut missing: BTreeMap<(&str, ReleaseId), MissingExtension<'d>> = BTreeMap::new();
        // For each release, the oldest successor comes first.
        for ((release, next), channels) in self.successions() {
            for edge in self.risks.on.get(&release).into_iter().flatten() {
                let Some(name) = &edge.name else { continue };
                if self.is_extended_or_done(edge, next) {
                    continue;
                }
                let gap = missing.entry((&name.value, release));
                let gap =
                    gap.or_insert_with(|| MissingExtension { edge, next, channels: Vec::new() });
                gap.channels.extend(&channels);
            }
        }
        missing.into_values()
    }

    /// Whether a risk is already extended to the next release, or does not have to be.
    pub(crate) fn is_extended_or_done(&self, edge: &BlockedEdge, next: ReleaseId) -> bool {
        let Some(name) = &edge.name else { return true };
        let next_version = &self.data.releases.get(next).version;
        let fix = self.risks.fix(edge, Minor::of(next_version));
        let is_fixed = fix.is_some_and(|fixed| fixed <= *next_version);
        let is_about_prereleases =
            !self.risks.general.contains(name.value.as_str()) && is_general(next_version);
        is_fixed || is_about_prereleases || self.risks.is_on(&name.value, next)
    }

    /// The releases that lack the risk, from the next one until it is fixed or declared again, and
    /// the release that declares it again.
    pub(crate) fn releases_without(
        &self,
        edge: &BlockedEdge,
        next: ReleaseId,
    ) -> (Vec<ReleaseId>, Option<ReleaseId>) {
        let name = edge.name.as_ref().map_or("", |name| &name.value);
        let releases = &self.data.releases;
        let minor = Minor::of(&releases.get(next).version);
        let fixed = self.risks.fix(edge, minor);
        let later = releases.of_minor(minor).filter(|id| *id >= next);
        let mut without = Vec::new();
        for id in later.filter(|id| !self.withdrawn.contains(id)) {
            let version = &releases.get(id).version;
            if self.risks.is_on(name, id) {
                return (without, Some(id));
            }
            if fixed.as_ref().is_some_and(|fixed| version >= fixed) {
                break;
            }
            without.push(id);
        }
        (without, None)
    }

    /// The public channels in which two releases of a minor follow each other, for each release
    /// with risks and each of its successors. Sorted by the two releases.
    fn successions(&self) -> Vec<((ReleaseId, ReleaseId), Vec<&'d Channel>)> {
        let mut successions: HashMap<(ReleaseId, ReleaseId), Vec<&Channel>> = HashMap::default();
        let has_risks = |channel: &&Channel| {
            channel.public && channel.releases.iter().any(|id| self.risks.on.contains_key(id))
        };
        for channel in self.data.channels.iter().filter(has_risks) {
            let members = channel.releases.iter().copied();
            let members: Vec<ReleaseId> =
                members.filter(|id| !self.withdrawn.contains(id)).collect();
            for pair in members.windows(2) {
                let has_risk = self.risks.on.contains_key(&pair[0]);
                if has_risk && self.data.releases.are_of_one_minor(pair[0], pair[1]) {
                    successions.entry((pair[0], pair[1])).or_default().push(channel);
                }
            }
        }
        let mut successions: Vec<_> = successions.into_iter().collect();
        successions.sort_unstable_by_key(|(pair, _)| *pair);
        successions
    }
}
