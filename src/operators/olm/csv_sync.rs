//! The OLM operator: how it moves CSVs from phase to phase.
//!
//! Conditions that an operator sets to delay its own update (`Upgradeable`) are not part of this.

use crate::go;

use std::collections::BTreeSet;

use super::csvs::{Csv, Csvs, Health};
use super::phase::{Phase, Strategy};

/// What one look at a CSV does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    pub change: Option<Change>,
    /// The error that this look ended with, in the words of OLM.
    pub error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The CSV gets another phase, or another reason for the same phase.
    Moved {
        from: Phase,
        to: Phase,
    },
    Deleted,
}

/// A phase, and the reason for it.
type Next = (Phase, &'static str);

impl Csvs {
    /// Looks at one CSV.
    pub fn visit(&mut self, name: &str, strategy: Strategy, namespace: &str) -> Visit {
        let Some(csv) = self.get(name).filter(|csv| !csv.is_copied) else {
            return Visit::default();
        };
        let (from, reason) = (csv.phase, csv.reason.clone());
        if from == Phase::Deleting {
            self.remove(name);
            return Visit { change: Some(Change::Deleted), error: None };
        }
        let (next, error) = match from {
            Phase::Replacing => match self.collected(name, strategy, namespace) {
                Ok(next) => (next, None),
                Err(error) => (None, Some(error.into())),
            },
            _ => self.next_phase(name, strategy),
        };
        let next = next.filter(|(to, why)| *to != from || *why != reason);
        if let (Some((to, why)), Some(status)) = (next, self.status_mut(name)) {
            *status.phase = to;
            why.clone_into(status.reason);
        }
        Visit { change: next.map(|(to, _)| Change::Moved { from, to }), error }
    }

    /// The phase and reason that a CSV gets, which may be the same as before, and an error.
    fn next_phase(&self, name: &str, strategy: Strategy) -> (Option<Next>, Option<String>) {
        let Some(csv) = self.get(name) else { return (None, None) };
        let is_met = csv.health != Health::RequirementsMissing;
        let is_healthy = csv.health == Health::Healthy;
        let is_replaced = self.replacer(name).is_some();
        let next = match csv.phase {
            Phase::None => Some((Phase::Pending, "RequirementsUnknown")),
            Phase::Pending if !is_met => {
                let error = "requirements were not met".to_owned();
                return (Some((Phase::Pending, "RequirementsNotMet")), Some(error));
            }
            Phase::Pending => {
                let waits = |(_, other): (_, &Csv)| other.phase != Phase::Replacing;
                let is_blocked = self.predecessor(csv).is_some_and(waits);
                (!is_blocked).then_some((Phase::InstallReady, "AllRequirementsMet"))
            }
            Phase::InstallReady => Some((Phase::Installing, "InstallSucceeded")),
            Phase::Installing => match csv.health {
                Health::Fails => Some((Phase::Failed, "InstallCheckFailed")),
                Health::Waiting => Some((Phase::Installing, "InstallWaiting")),
                _ => Some((Phase::Succeeded, "InstallSucceeded")),
            },
            Phase::Succeeded if is_replaced => Some((Phase::Replacing, "BeingReplaced")),
            Phase::Succeeded if !is_met => Some((Phase::Failed, "RequirementsNotMet")),
            Phase::Succeeded if !is_healthy => Some((Phase::Failed, "ComponentUnhealthy")),
            Phase::Succeeded => Some((Phase::Succeeded, "InstallSucceeded")),
            Phase::Failed if strategy == Strategy::FailForward && is_replaced => {
                Some((Phase::Replacing, "BeingReplaced"))
            }
            Phase::Failed => match csv.health {
                Health::Fails => None,
                Health::RequirementsMissing => Some((Phase::Pending, "RequirementsNotMet")),
                Health::Waiting => Some((Phase::Pending, "NeedsReinstall")),
                Health::Healthy => Some((Phase::Succeeded, "InstallSucceeded")),
            },
            Phase::Replacing | Phase::Deleting | Phase::Unknown => None,
        };
        (next, None)
    }

    /// Whether a replaced CSV can be deleted: the oldest of a chain, once a newer one succeeded.
    fn collected(
        &mut self,
        name: &str,
        strategy: Strategy,
        namespace: &str,
    ) -> Result<Option<Next>, go::Error> {
        if self.get(name).is_some_and(|csv| self.predecessor(csv).is_some()) {
            return Ok(None);
        }
        // If several CSVs replace this one, OLM looks at a random one of them. So it is enough
        // that one of them succeeded.
        let replacers: Vec<String> =
            self.all_replacers(name).into_iter().map(str::to_owned).collect();
        if replacers.is_empty() {
            let error = "marked as replacement, but no replacement CSV found in cluster";
            return Err(error.to_owned().into());
        }
        for replacer in replacers {
            let newest = match strategy {
                Strategy::Default => replacer,
                Strategy::FailForward => self.last_in_chain(&replacer, namespace)?,
            };
            if self.get(&newest).is_some_and(|csv| csv.phase == Phase::Succeeded) {
                return Ok(Some((Phase::Deleting, "Replaced")));
            }
        }
        Ok(None)
    }

    /// The CSVs that can move after this CSV changed: itself, the CSV that it replaces, the CSV
    /// that replaces it, and, if it succeeded, the oldest CSV of its chain.
    pub(super) fn touched(&self, name: &str, replaces: &str) -> BTreeSet<String> {
        let has_succeeded = self.get(name).is_some_and(|csv| csv.phase == Phase::Succeeded);
        let oldest = self.oldest(name).filter(|_| has_succeeded);
        let others = [Some(name), Some(replaces), self.replacer(name), oldest];
        others.into_iter().flatten().map(str::to_owned).collect()
    }
}
