//! What a change does to updates and to exit paths, computed once for every report of it.

use std::collections::BTreeSet;

use super::exits::{ExitChange, ExitQuestion};
use crate::domain::{Arch, Version};
use crate::lineage::Supported;

use super::{Comparison, Side};

/// What a change does to clusters.
#[derive(Debug)]
pub struct GraphChange<'g> {
    /// What becomes of updates, channels and declarations.
    pub comparison: Comparison,
    /// What becomes of exit paths.
    pub exits: ExitChange<'g>,
}

/// What is asked of a change.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The architectures that the graphs are of.
    pub architectures: &'q [Arch],
    /// The architectures that they speak for: others may be just like these.
    pub speaks_for: &'q [Arch],
    /// Which releases are supported.
    pub supported: &'q Supported,
    /// The channels to look at, by name; all without any.
    pub channels: &'q [String],
}

impl<'g> GraphChange<'g> {
    /// What a change does, in the channels whose updates or members it changes.
    #[must_use]
    pub fn of(before: Side<'g>, after: Side<'g>, question: Question<'_>) -> Self {
        let mut comparison = Comparison::of(before, after);
        if !question.channels.is_empty() {
            comparison.keep_channels(question.channels);
        }
        let touched = touched(&comparison);
        let is_everywhere = changes_whom(&comparison);
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
        if question.speaks_for != question.architectures {
            comparison.speak_for(question.speaks_for);
            exits.speak_for(question.speaks_for);
        }
        Self { comparison, exits }
    }

    /// Whether the change does nothing that clusters see.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.comparison.is_idle() && self.exits.is_idle()
    }
}

/// The channels whose updates or members a change changes.
fn touched(comparison: &Comparison) -> BTreeSet<String> {
    let altered = comparison.altered.iter().flat_map(|altered| &altered.channels);
    let moved = comparison.moves.iter().flat_map(|one| one.joins.iter().chain(&one.leaves));
    altered.chain(moved).map(|at| comparison.channels[*at].clone()).collect()
}

/// Whether it changes which clusters a risk affects, which no single update shows.
fn changes_whom(comparison: &Comparison) -> bool {
    let mut texts = comparison.risks.iter().flat_map(|risk| &risk.texts);
    texts.any(|text| text.key == "matchingRules")
}
