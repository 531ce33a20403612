//! The releases that a risk is declared for.

use std::collections::BTreeSet;

use crate::domain::Version;
use crate::domain::version::text_of;
use crate::graph_data::{GraphData, tombstones_by_version};
use crate::origins::{KnownReleases, Spec, releases};
use crate::text::Failure;

use super::fixed_in::FixesByMinor;

/// Releases that the user names, oldest first, and notes about them.
#[derive(Debug, Default)]
pub(super) struct Targets {
    pub(super) releases: BTreeSet<Version>,
    /// Those that are named one by one, and not as a part of a range.
    pub(super) single: BTreeSet<Version>,
    pub(super) notes: Vec<String>,
}

impl Targets {
    /// The releases that words like `4.18.20` and `4.18.20..4.18` name. Ranges have no tombstones.
    pub(super) fn named(
        data: &GraphData,
        specs: &[Spec],
        pre_releases: bool,
    ) -> Result<Self, Failure> {
        let known = KnownReleases::of(&data.releases);
        let withdrawn = tombstones_by_version(data);
        let mut targets = Self::default();
        for spec in specs {
            if let Some(version) = spec.single() {
                if data.releases.find(version).is_none() {
                    targets.notes.push(note_on_unknown(data, version)?);
                }
                targets.single.insert(version.clone());
                targets.releases.insert(version.clone());
                continue;
            }
            let named = releases(&known, spec, pre_releases)?;
            let (tombstones, served): (Vec<Version>, Vec<Version>) =
                named.into_iter().partition(|version| withdrawn.contains_key(version));
            targets.releases.extend(served);
            targets.notes.extend(tombstones.iter().map(|version| {
                format!("{version} is a tombstone: name it alone if it needs the risk, too")
            }));
        }
        Ok(targets)
    }

    /// Ranges end before a fix.
    pub(super) fn before(mut self, fixes: &FixesByMinor) -> Self {
        let Self { releases, single, .. } = &mut self;
        releases.retain(|release| single.contains(release) || !fixes.are_before(release));
        self
    }
}

/// A note about a release that no channel has yet. Fails if it is not one of the next ones.
pub(super) fn note_on_unknown(data: &GraphData, version: &Version) -> Result<String, Failure> {
    if data.releases.is_expected(version) {
        return Ok(format!("no channel has {version} yet"));
    }
    let known = data.releases.iter().map(|(_, release)| release.text.as_str());
    Err(Failure::unknown_release(&text_of(version), known))
}
