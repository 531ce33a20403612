//! The same reasons and risks in two graphs.

use crate::domain::Arena;
use crate::graph::ReasonId;

use super::risk_names::{RiskNameId, RiskNames};
use super::simulation::SimulatedChannel;
use super::stranded::Stranded;

/// Where the reasons of one graph are in another.
#[derive(Debug)]
pub(crate) enum ReasonsAfter {
    /// The reasons and the names of risks have the same ids.
    Same,
    Moved(ReasonPairs),
    Unknown,
}

/// The ids that reasons and names of risks have in another graph. None for those that it lacks.
#[derive(Debug)]
pub(crate) struct ReasonPairs {
    reasons: Arena<ReasonId, Option<ReasonId>>,
    /// None if names have the same ids.
    names: Option<Arena<RiskNameId, Option<RiskNameId>>>,
}

impl ReasonsAfter {
    /// The result of a channel whose updates mean the same in the other graph. None if it is not
    /// known which reasons they have there.
    pub(crate) fn moved(&self, channel: &SimulatedChannel) -> Option<SimulatedChannel> {
        let mut channel = channel.clone();
        match self {
            Self::Same => {}
            Self::Moved(pairs) => pairs.move_channel(&mut channel)?,
            Self::Unknown => return None,
        }
        Some(channel)
    }
}

impl ReasonPairs {
    /// The pairs of graphs with the same risks.
    pub(crate) fn of_reasons(reasons: Arena<ReasonId, Option<ReasonId>>) -> Self {
        Self { reasons, names: None }
    }

    /// The names of both graphs are in alphabetical order, so a sorted list of them stays sorted.
    pub(crate) fn of(
        reasons: Arena<ReasonId, Option<ReasonId>>,
        before: &RiskNames,
        after: &RiskNames,
    ) -> Self {
        Self { reasons, names: Some(before.all().map(|name| after.id(name)).collect()) }
    }

    fn move_channel(&self, channel: &mut SimulatedChannel) -> Option<()> {
        for update in channel.graph.out.items_mut() {
            update.reason = self.reasons[update.reason]?;
        }
        channel.stranded.iter_mut().try_for_each(|stranded| self.move_stranded(stranded))
    }

    fn move_stranded(&self, stranded: &mut Stranded) -> Option<()> {
        let Stranded { risks, sets, unblocked_by, exits, .. } = stranded;
        for exit in exits {
            exit.reason = self.reasons[exit.reason]?;
            self.move_names(&mut exit.risks)?;
        }
        sets.iter_mut().chain([risks, unblocked_by]).try_for_each(|names| self.move_names(names))
    }

    fn move_names(&self, names: &mut [RiskNameId]) -> Option<()> {
        if let Some(moved) = &self.names {
            for name in names {
                *name = moved[*name]?;
            }
        }
        Some(())
    }
}
