//! The progress of an update, from the objects of a cluster.

use std::collections::{BTreeMap, BTreeSet};

use super::conditions::Situation;
use super::gate::{Hold, OperatorState, hold, hold_of};
use super::objects::Objects;
use super::pass::Pass;
use super::update_error::UpdateError;
use crate::cluster::object::{ClusterVersion, Condition, condition};
use crate::payload::{Cell, ManifestId, Mode, Payload, Steps, TaskGraph};

/// The progress of an update.
#[derive(Debug)]
pub(crate) struct UpdateStatus<'p> {
    pub mode: Mode,
    /// The version that the cluster is updated to. None if it is unknown.
    pub version: Option<String>,
    /// Why the cluster may not be applying this version.
    pub warning: Option<String>,
    pub holds: Vec<Held>,
    /// None if it is known which ClusterOperators there are, but not in which order they are
    /// updated.
    pub progress: Option<Progress<'p>>,
}

/// A ClusterOperator that holds the update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub operator: String,
    pub hold: Hold,
    /// The condition in which the ClusterOperator reports it.
    pub said: Option<Condition>,
    /// None if no payload is given.
    pub manifest: Option<ManifestId>,
}

/// How far the operator gets in a payload.
#[derive(Debug)]
pub(crate) struct Progress<'p> {
    pub payload: &'p Payload,
    pub cells: Vec<(Cell<'p>, CellState)>,
    pub done: usize,
    pub conditions: [Condition; 3],
    /// ClusterOperators in the cluster that are not in the payload.
    pub others: Vec<String>,
}

/// The progress of a component at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellState {
    Done,
    /// The next step waits for the component.
    Held,
    /// The component waits for an earlier step.
    Waiting,
}

impl<'p> UpdateStatus<'p> {
    /// Computes the progress. `to` is the version that the user names. `waited` says how many
    /// seconds the update has waited for a ClusterOperator.
    pub(crate) fn of(
        objects: &Objects,
        payload: Option<&'p Payload>,
        to: Option<&str>,
        waited: &dyn Fn(&str) -> u64,
    ) -> Self {
        let cluster_version = objects.cluster_version.as_ref();
        let version = to
            .map(str::to_owned)
            .or_else(|| payload.and_then(|payload| payload.version.clone()))
            .or_else(|| cluster_version.and_then(desired));
        let mode = mode(cluster_version, version.as_deref());
        let warning = cluster_version.and_then(|object| warning(object, version.as_deref()));
        let status = match payload {
            Some(payload) => Self::in_payload(objects, payload, mode, version, waited),
            None => Self {
                warning: None,
                holds: holds(&objects.operators, version.as_deref(), mode),
                mode,
                version,
                progress: None,
            },
        };
        Self { warning, ..status }
    }

    fn in_payload(
        objects: &Objects,
        payload: &'p Payload,
        mode: Mode,
        version: Option<String>,
        waited: &dyn Fn(&str) -> u64,
    ) -> Self {
        let mut holds = Vec::new();
        let total = payload.manifests.len();
        let pass = Pass::run(&TaskGraph::of(&payload.manifests, mode), |id| {
            let manifest = &payload.manifests[id];
            let state = objects.operators.get(&manifest.name);
            let known = manifest.is_waited_for().then(|| hold(&manifest.versions, state, mode));
            let Some(hold) = known.flatten() else { return Ok(()) };
            let place = (id.index() + 1, total);
            let failure = UpdateError::of_operator(&manifest.name, &hold, state, place, mode);
            holds.push(Held::of(&manifest.name, hold, state, Some(id)));
            Err(failure)
        });
        let failures: Vec<UpdateError> = pass.failures.iter().map(|(_, one)| one.clone()).collect();
        let conditions = Situation {
            mode,
            version: version.as_deref().unwrap_or("the release"),
            completed: objects.cluster_version.as_ref().and_then(completed),
            done: pass.done.len(),
            total,
            failures: &failures,
            is_complete: pass.is_complete,
            waited,
        };
        let conditions = conditions.conditions();
        let declared: BTreeSet<&str> =
            payload.operators().map(|(_, manifest)| manifest.name.as_str()).collect();
        let others = objects.operators.keys().filter(|name| !declared.contains(name.as_str()));
        let progress = Progress {
            payload,
            cells: states(Steps::of(payload, mode).cells(payload), &pass),
            done: pass.done.len(),
            conditions,
            others: others.cloned().collect(),
        };
        Self { mode, version, warning: None, holds, progress: Some(progress) }
    }
}

impl Held {
    fn of(
        operator: &str,
        hold: Hold,
        state: Option<&OperatorState>,
        manifest: Option<ManifestId>,
    ) -> Self {
        let kind = match hold {
            Hold::NotAvailable => Some("Available"),
            Hold::Degraded => Some("Degraded"),
            Hold::OldVersions(_) => Some("Progressing"),
            Hold::NoVersions | Hold::Missing => None,
        };
        let said = state.zip(kind).and_then(|(state, kind)| state.condition(kind)).cloned();
        Self { operator: operator.to_owned(), hold, said, manifest }
    }
}

/// The ClusterOperators that hold an update. Without a payload, each is expected to reach the
/// version for the name `operator`.
fn holds(
    operators: &BTreeMap<String, OperatorState>,
    version: Option<&str>,
    mode: Mode,
) -> Vec<Held> {
    let expected: Vec<(String, String)> =
        version.into_iter().map(|version| ("operator".to_owned(), version.to_owned())).collect();
    let held = operators.iter().filter_map(|(name, state)| {
        Some(Held::of(name, hold_of(&expected, state, mode)?, Some(state), None))
    });
    held.collect()
}

/// The version that the operator applies or that the administrator requests.
fn desired(object: &ClusterVersion) -> Option<String> {
    let version = &object.status.desired.version;
    (!version.is_empty()).then(|| version.clone())
}

/// A warning if the cluster applies another version than the one that is asked about or requested.
fn warning(object: &ClusterVersion, version: Option<&str>) -> Option<String> {
    let applied = desired(object)?;
    if let Some(version) = version.filter(|version| *version != applied) {
        return Some(format!("the cluster applies {applied}, and nothing of {version}"));
    }
    let requested = &object.spec.desired_update.as_ref()?.version;
    let is_other = !requested.is_empty() && *requested != applied;
    let accepted = condition(&object.status.conditions, "ReleaseAccepted");
    let why = accepted.filter(|accepted| accepted.status != "True");
    let why = why.map(|why| format!(": {}", why.message)).unwrap_or_default();
    is_other.then(|| format!("{requested} is requested, but not accepted{why}"))
}

/// The last version that was completed.
fn completed(object: &ClusterVersion) -> Option<&str> {
    let mut history = object.status.history.iter();
    history.find(|entry| entry.state == "Completed").map(|entry| entry.version.as_str())
}

/// What the operator is doing. Without a ClusterVersion, it is assumed to update the cluster.
fn mode(object: Option<&ClusterVersion>, version: Option<&str>) -> Mode {
    let Some(object) = object else { return Mode::Updating };
    let history = &object.status.history;
    let newest = history.first().filter(|entry| entry.state == "Completed");
    let is_done = newest.is_some_and(|entry| version.is_none_or(|own| entry.version == own));
    if completed(object).is_none() {
        Mode::Initializing
    } else if is_done {
        Mode::Reconciling
    } else {
        Mode::Updating
    }
}

fn states<'p>(cells: Vec<Cell<'p>>, pass: &Pass) -> Vec<(Cell<'p>, CellState)> {
    let done: BTreeSet<ManifestId> = pass.done.iter().copied().collect();
    let attempted: BTreeSet<ManifestId> = pass.attempted.iter().copied().collect();
    let state = |cell: &Cell<'_>| {
        if cell.manifests.iter().all(|id| done.contains(id)) {
            CellState::Done
        } else if cell.manifests.iter().any(|id| attempted.contains(id)) {
            CellState::Held
        } else {
            CellState::Waiting
        }
    };
    cells.into_iter().map(|cell| (state(&cell), cell)).map(|(state, cell)| (cell, state)).collect()
}
