//! Whether a ClusterOperator lets an update go on.

use crate::cluster::object::{Condition, condition};
use crate::payload::Mode;

/// What a ClusterOperator reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorState {
    pub name: String,
    pub conditions: Vec<Condition>,
    /// The names and the versions.
    pub versions: Vec<(String, String)>,
}

/// Why a ClusterOperator does not let an update go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The payload does not declare which versions it should reach.
    NoVersions,
    /// The cluster does not have the ClusterOperator.
    Missing,
    NotAvailable,
    Degraded,
    /// The versions that it has not reached.
    OldVersions(Vec<OldVersion>),
}

/// A version that a ClusterOperator has not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldVersion {
    pub name: String,
    /// None if it does not report one.
    pub current: Option<String>,
    pub expected: String,
}

impl OperatorState {
    pub(super) fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.conditions, kind)
    }

    fn status(&self, kind: &str) -> &str {
        self.condition(kind).map_or("", |condition| condition.status.as_str())
    }

    pub(super) fn is_available(&self) -> bool {
        self.status("Available") == "True"
    }

    /// Whether it is degraded. It counts as degraded unless it reports that it is not.
    pub(super) fn is_degraded(&self) -> bool {
        self.status("Degraded") != "False"
    }

    pub(super) fn is_progressing(&self) -> bool {
        self.status("Progressing") != "False"
    }

    fn old_versions(&self, expected: &[(String, String)]) -> Vec<OldVersion> {
        let own = |name: &str| {
            self.versions.iter().rev().find(|(own, _)| own == name).map(|(_, version)| version)
        };
        let old = expected.iter().filter(|(name, version)| own(name) != Some(version));
        let old = old.map(|(name, version)| OldVersion {
            name: name.clone(),
            current: own(name).cloned(),
            expected: version.clone(),
        });
        old.collect()
    }
}

/// The first thing that holds an update, in the order in which the operator checks. The operator
/// does not check whether the ClusterOperator is progressing.
pub fn hold(
    expected: &[(String, String)],
    state: Option<&OperatorState>,
    mode: Mode,
) -> Option<Hold> {
    if expected.is_empty() {
        return Some(Hold::NoVersions);
    }
    match state {
        None => Some(Hold::Missing),
        Some(state) => hold_of(expected, state, mode),
    }
}

/// Like [`hold`], if the ClusterOperator exists and `expected` may not be all versions that its
/// manifest declares.
pub(super) fn hold_of(
    expected: &[(String, String)],
    state: &OperatorState,
    mode: Mode,
) -> Option<Hold> {
    if !state.is_available() {
        return Some(Hold::NotAvailable);
    }
    if state.is_degraded() {
        return Some(Hold::Degraded);
    }
    let old = state.old_versions(expected);
    (mode != Mode::Initializing && !old.is_empty()).then_some(Hold::OldVersions(old))
}
