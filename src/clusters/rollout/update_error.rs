//! What stops a pass over a payload, in the operator's words.

use std::collections::BTreeMap;

use super::gate::{Hold, OperatorState};
use crate::cluster::object::{Condition, condition};
use crate::payload::Mode;

/// How a failure affects the status of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The effect of an error that is not about the health of something.
    Ordinary,
    /// The update continues as planned.
    None,
    /// The failure is reported, and the update continues.
    Report,
    Fail,
    FailAfterInterval,
}

/// What stops a pass over a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateError {
    pub reason: String,
    pub message: String,
    pub effect: Effect,
    /// The names of the ClusterOperators.
    pub names: Vec<String>,
    pub detail: String,
}

impl UpdateError {
    /// The failure of a ClusterOperator that holds the update.
    pub fn of_operator(
        name: &str,
        hold: &Hold,
        state: Option<&OperatorState>,
        place: (usize, usize),
        mode: Mode,
    ) -> Self {
        let (reason, words, effect) = match hold {
            Hold::Missing => {
                return Self {
                    reason: "UpdatePayloadResourceNotFound".into(),
                    message: format!(
                        "Could not update clusteroperator \"{name}\" ({} of {}): resource may have \
                         been deleted",
                        place.0, place.1
                    ),
                    effect: Effect::Ordinary,
                    names: Vec::new(),
                    detail: format!("clusteroperators.config.openshift.io \"{name}\" not found"),
                };
            }
            Hold::NoVersions => {
                ("ClusterOperatorNoVersions", "does not declare expected versions", Effect::Fail)
            }
            Hold::NotAvailable => ("ClusterOperatorNotAvailable", "is not available", Effect::Fail),
            Hold::Degraded if mode == Mode::Initializing => {
                ("ClusterOperatorDegraded", "is degraded", Effect::Report)
            }
            Hold::Degraded => ("ClusterOperatorDegraded", "is degraded", Effect::FailAfterInterval),
            Hold::OldVersions(_) => {
                ("ClusterOperatorUpdating", "is updating versions", Effect::None)
            }
        };
        Self {
            reason: reason.into(),
            message: format!("Cluster operator {name} {words}"),
            effect,
            names: vec![name.to_owned()],
            detail: state.map(|state| detail(hold, state)).unwrap_or_default(),
        }
    }

    /// Combines several failures into one. Failures of ClusterOperators with the same reason are
    /// joined. If several are left, they become a list.
    pub fn of_all(mut failures: Vec<Self>) -> Option<Self> {
        // Failures that are only reported do not matter if another one stops the pass.
        if failures.iter().any(|failure| failure.effect != Effect::Report) {
            failures.retain(|failure| failure.effect != Effect::Report);
        }
        let (of_operators, others): (Vec<Self>, Vec<Self>) =
            failures.into_iter().partition(Self::is_of_operator);
        let mut by_reason: BTreeMap<String, Vec<Self>> = BTreeMap::new();
        for failure in of_operators {
            by_reason.entry(failure.reason.clone()).or_default().push(failure);
        }
        let joined = by_reason.into_values().filter_map(Self::of_one_reason).chain(others);
        let joined: Vec<Self> = joined.collect();
        match joined.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            several => Some(Self::several(several)),
        }
    }

    fn is_of_operator(&self) -> bool {
        self.reason.starts_with("ClusterOperator")
    }

    fn of_one_reason(mut failures: Vec<Self>) -> Option<Self> {
        failures.sort_by(|a, b| a.names.cmp(&b.names));
        let first = failures.first()?.clone();
        if failures.len() == 1 {
            return Some(first);
        }
        let names: Vec<String> =
            failures.iter().flat_map(|failure| failure.names.clone()).collect();
        let words = first.message.split_once(' ').and_then(|(_, rest)| {
            rest.strip_prefix("operator ")?.strip_prefix(first.names.first()?.as_str())
        });
        let words = words.unwrap_or_default();
        let plural = words.replacen(" is ", " are ", 1).replacen(" does ", " do ", 1);
        let reason = first.reason.replacen("ClusterOperator", "ClusterOperators", 1);
        let details: Vec<&str> = failures.iter().map(|failure| failure.message.as_str()).collect();
        Some(Self {
            reason,
            message: format!("Cluster operators {}{plural}", names.join(", ")),
            effect: first.effect,
            detail: format!("[{}]", details.join(", ")),
            names,
        })
    }

    /// Combines failures with different reasons. Equal messages occur only once.
    fn several(failures: &[Self]) -> Self {
        let mut messages: Vec<&str> = Vec::new();
        for failure in failures {
            if !messages.contains(&failure.message.as_str()) {
                messages.push(&failure.message);
            }
        }
        let detail = match messages.as_slice() {
            [only] => (*only).to_owned(),
            all => format!("[{}]", all.join(", ")),
        };
        messages.sort_unstable();
        Self {
            reason: MULTIPLE.into(),
            message: format!(
                "Multiple errors are preventing progress:\n* {}",
                messages.join("\n* ")
            ),
            effect: Effect::Ordinary,
            names: Vec::new(),
            detail,
        }
    }
}

pub(super) const MULTIPLE: &str = "MultipleErrors";

/// What the operator logs about a ClusterOperator.
fn detail(hold: &Hold, state: &OperatorState) -> String {
    let name = &state.name;
    let said = |kind: &str| {
        condition(&state.conditions, kind).filter(|condition| !condition.message.is_empty())
    };
    let all = || {
        format!(
            "cluster operator {name}: available={}, progressing={}, degraded={}, undone=",
            state.is_available(),
            state.is_progressing(),
            state.is_degraded()
        )
    };
    let quoted = |condition: &Condition, mark: &str| {
        let Condition { kind, status, reason, message, .. } = condition;
        format!("cluster operator {name} is {kind}={status}: {reason}{mark} {message}")
    };
    match hold {
        Hold::NotAvailable => said("Available").map_or_else(all, |known| quoted(known, ":")),
        Hold::Degraded => said("Degraded").map_or_else(all, |known| quoted(known, ",")),
        Hold::OldVersions(_) => format!(
            "cluster operator {name} is available and not degraded but has not finished updating to target version"
        ),
        Hold::NoVersions | Hold::Missing => String::new(),
    }
}
