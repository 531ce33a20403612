//! What a change does to updates and to exit paths. Computed once, for all rules and reports.

use std::collections::BTreeSet;

use super::exits::{ExitChange, ExitQuestion};
use crate::domain::{Arch, Version};
use crate::lineage::Supported;

use super::upkeep::{UpkeepChange, unloaded, upkeep};
use super::{Comparison, Side};

#[derive(Debug)]
pub struct GraphChange<'g> {
    pub comparison: Comparison,
    pub exits: ExitChange<'g>,
    /// What the change does to promotions and builds.
    pub upkeep: Vec<UpkeepChange>,
    /// What the service no longer loads, and the effects of that.
    pub unloaded: Vec<String>,
    /// Why the exit paths of no release were checked, if none were.
    pub unchecked: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub struct ChangeQuestion<'q> {
    /// The architectures to compare.
    pub architectures: &'q [Arch],
    /// The architectures that the result is for. It has more than `architectures` if others have
    /// the same result.
    pub represented: &'q [Arch],
    pub supported: &'q Supported,
    /// The names of the channels to consider. Empty for all channels.
    pub channels: &'q [String],
    /// Why no release is checked, if none is.
    pub unchecked: Option<&'q str>,
}

impl<'g> GraphChange<'g> {
    /// Compares two sides. Looks for stranded releases only in channels that the change affects.
    pub fn of(before: Side<'g>, after: Side<'g>, question: ChangeQuestion<'_>) -> Self {
        let mut comparison = Comparison::of(before, after);
        let touched = touched(&comparison);
        let is_everywhere = changes_affected_clusters(&comparison);
        if !question.channels.is_empty() {
            comparison.keep_channels(question.channels, [before.graph, after.graph]);
        }
        let is_asked = |name: &str| {
            question.channels.is_empty() || question.channels.iter().any(|c| c == name)
        };
        let channels = |name: &str| is_asked(name) && (is_everywhere || touched.contains(name));
        let is_supported =
            |channel: &str, version: &Version| question.supported.holds(channel, version);
        let mut exits = ExitChange::of(&ExitQuestion {
            before: before.graph,
            after: after.graph,
            channels: &channels,
            architectures: question.architectures,
            is_supported: &is_supported,
        });
        if question.represented != question.architectures {
            comparison.apply_to(question.represented);
            exits.apply_to(question.represented);
        }
        // Promotions and builds affect all channels.
        let is_whole = question.channels.is_empty();
        let upkeep = if is_whole { upkeep(before.data, after.data) } else { Vec::new() };
        let unloaded = unloaded(before.data, after.data);
        let unchecked = question.unchecked.map(str::to_owned);
        Self { comparison, exits, upkeep, unloaded, unchecked }
    }

    pub fn is_idle(&self) -> bool {
        self.comparison.is_idle()
            && self.exits.is_idle()
            && self.upkeep.is_empty()
            && self.unloaded.is_empty()
    }
}

/// The names of channels with changed updates or members.
fn touched(comparison: &Comparison) -> BTreeSet<String> {
    let altered = comparison.altered.iter().flat_map(|altered| &altered.channels);
    let moved = comparison.moves.iter().flat_map(|one| one.joins.iter().chain(&one.leaves));
    altered.chain(moved).map(|at| comparison.channels[*at].clone()).collect()
}

/// Whether the change makes a risk affect other clusters. Such a change alters no updates.
fn changes_affected_clusters(comparison: &Comparison) -> bool {
    let mut texts = comparison.risks.iter().flat_map(|risk| &risk.texts);
    texts.any(|text| text.key == "matchingRules")
}
