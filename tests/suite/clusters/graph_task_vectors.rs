//! The task graph, a pass, and the conditions, as the real operator answered.

use std::collections::BTreeMap;

use exitpath::testing::cluster::object::Condition;
use exitpath::testing::payload::{Manifest, ManifestId, Mode, Payload, TaskGraph, all_at_once};
use exitpath::testing::rollout::{Effect, Hold, OperatorState, Pass, Situation, UpdateError, hold};
use serde_json::{Value as Json, json};

use crate::shared::vectors::compare;

fn text(json: &Json, key: &str) -> String {
    json[key].as_str().unwrap_or_default().to_owned()
}

fn list(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

fn versions(json: &Json) -> Vec<(String, String)> {
    list(&json["versions"]).iter().map(|v| (text(v, "name"), text(v, "version"))).collect()
}

fn manifest(json: &Json) -> Manifest {
    let kind = json["kind"].as_str().unwrap_or("ConfigMap");
    let group = match kind {
        "Job" => "batch",
        "ClusterOperator" => "config.openshift.io",
        "Deployment" => "apps",
        _ => "",
    };
    Manifest {
        file: text(json, "file"),
        group: group.into(),
        kind: kind.into(),
        namespace: if kind == "ClusterOperator" { String::new() } else { "ns".into() },
        name: json["name"].as_str().unwrap_or("x").into(),
        versions: versions(json),
        ..Manifest::default()
    }
}

fn operator(json: &Json) -> OperatorState {
    let conditions = list(&json["conditions"]).iter();
    let condition = |one: &Json| {
        Condition::new(
            &text(one, "type"),
            &text(one, "status"),
            &text(one, "reason"),
            &text(one, "message"),
        )
    };
    OperatorState {
        name: text(json, "name"),
        conditions: conditions.map(condition).collect(),
        versions: versions(json),
    }
}

/// Chunks that another pass begins elsewhere, so that no chunk is always the last.
fn rotated<T>(mut stage: Vec<T>, step: usize, stride: usize) -> Vec<T> {
    let count = stage.len();
    if count > 0 && stride > 0 {
        let by = if count < stride { step % count } else { (step * count / stride) % count };
        stage.rotate_left(by);
    }
    stage
}

/// A server does not take a manifest. `why` is what the operator adds to its message.
fn refused(
    manifest: &str,
    (place, total): (usize, usize),
    (reason, why): (&str, &str),
    detail: &str,
) -> UpdateError {
    UpdateError {
        reason: format!("UpdatePayload{reason}"),
        message: format!("Could not update {manifest} ({place} of {total}){why}"),
        effect: Effect::Ordinary,
        names: Vec::new(),
        detail: detail.into(),
    }
}

/// A Deployment or a DaemonSet, as `namespace/name`, holds the update.
fn workload(name: &str, reason: &str, message: &str, detail: &str) -> UpdateError {
    UpdateError {
        reason: format!("Workload{reason}"),
        message: message.into(),
        effect: Effect::Ordinary,
        names: vec![name.to_owned()],
        detail: detail.into(),
    }
}

const CONFLICT: (&str, &str) = ("ResourceConflict", ": someone else is updating this resource");
const FORBIDDEN: (&str, &str) =
    ("ResourceForbidden", ": the server has forbidden updates to this resource");
const NOT_FOUND: (&str, &str) = ("ResourceNotFound", ": resource may have been deleted");
const INTERNAL: (&str, &str) = ("ClusterError", ": the server is reporting an internal error");
const OTHER: (&str, &str) = ("Failed", "");

struct Case<'c> {
    input: &'c Json,
    mode: Mode,
    payload: Payload,
    operators: BTreeMap<String, OperatorState>,
}

impl<'c> Case<'c> {
    fn of(input: &'c Json) -> Self {
        let mode = match input["mode"].as_str().unwrap() {
            "initializing" => Mode::Initializing,
            "updating" => Mode::Updating,
            _ => Mode::Reconciling,
        };
        let there = list(&input["operators"]).iter().filter(|one| one["absent"] != true);
        Self {
            input,
            mode,
            payload: Payload {
                manifests: list(&input["manifests"]).iter().map(manifest).collect(),
                ..Payload::default()
            },
            operators: there.map(|one| (text(one, "name"), operator(one))).collect(),
        }
    }

    fn graph(&self) -> TaskGraph {
        let manifests = &self.payload.manifests;
        if self.input["mode"] != "shift" {
            return TaskGraph::of(manifests, self.mode);
        }
        let number = |key: &str| usize::try_from(self.input[key].as_u64().unwrap()).unwrap();
        TaskGraph::with_stages(manifests, |ids| {
            let stages = all_at_once(manifests, ids).into_iter();
            stages.map(|stage| rotated(stage, number("step"), number("stride"))).collect()
        })
    }

    fn nodes(&self, graph: &TaskGraph) -> Json {
        let file = |id: &ManifestId| self.payload.manifests[*id].file.clone();
        let nodes = graph.nodes.iter().map(|node| {
            let numbers = |ids: &[exitpath::testing::payload::TaskNodeId]| {
                let mut numbers: Vec<usize> = ids.iter().map(|id| id.index()).collect();
                numbers.sort_unstable();
                numbers
            };
            let tasks: Vec<String> = node.tasks.iter().map(file).collect();
            json!({"tasks": tasks, "in": numbers(&node.before), "out": numbers(&node.after)})
        });
        nodes.collect()
    }

    fn apply(&self, id: ManifestId) -> Result<(), UpdateError> {
        let manifest = &self.payload.manifests[id];
        let place = (id.index() + 1, self.payload.manifests.len());
        if manifest.is_cluster_operator() {
            let state = self.operators.get(&manifest.name);
            return match hold(&manifest.versions, state, self.mode) {
                None => Ok(()),
                Some(hold) => {
                    Err(UpdateError::of_operator(&manifest.name, &hold, state, place, self.mode))
                }
            };
        }
        let name = &manifest.name;
        let (reason, detail) = match list(&self.input["manifests"])[id.index()]["fail"].as_str() {
            None => return Ok(()),
            Some("conflict") => (
                CONFLICT,
                format!("Operation cannot be fulfilled on things.apps \"{name}\": changed"),
            ),
            Some("forbidden") => (FORBIDDEN, format!("things.apps \"{name}\" is forbidden: no")),
            Some("not-found") => (NOT_FOUND, format!("things.apps \"{name}\" not found")),
            Some("internal") => (INTERNAL, "Internal error occurred: broken".to_owned()),
            Some("workload-not-available") => {
                let name = format!("ns/{name}");
                let message = format!("deployment {name} is not available");
                return Err(workload(&name, "NotAvailable", &message, &message));
            }
            Some(other) => (OTHER, other.to_owned()),
        };
        Err(refused(&manifest.title(), place, reason, &detail))
    }

    fn waited(&self, name: &str) -> u64 {
        let mut operators = list(&self.input["operators"]).iter();
        operators
            .find(|one| one["name"] == name)
            .and_then(|one| one["waiting_minutes"].as_u64())
            .unwrap_or(0)
            * 60
    }

    fn answer(&self) -> Json {
        let graph = self.graph();
        let nodes = self.nodes(&graph);
        if self.input["mode"] == "shift" {
            return json!({ "nodes": nodes });
        }
        let pass = Pass::run(&graph, |id| self.apply(id));
        let mut attempted: Vec<String> =
            pass.attempted.iter().map(|id| self.payload.manifests[*id].file.clone()).collect();
        if self.mode != Mode::Updating {
            attempted.sort();
        }
        let failures: Vec<UpdateError> = pass.failures.iter().map(|(_, one)| one.clone()).collect();
        let waited = |name: &str| self.waited(name);
        let situation = Situation {
            mode: self.mode,
            version: self.input["version"].as_str().unwrap(),
            completed: (self.mode != Mode::Initializing).then_some("4.0.0"),
            done: pass.done.len(),
            total: self.payload.manifests.len(),
            failures: &failures,
            is_complete: pass.is_complete,
            waited: &waited,
        };
        let conditions: Vec<Json> = situation
            .conditions()
            .iter()
            .map(|one| {
                json!({"type": one.kind, "status": one.status, "reason": one.reason, "message": one.message})
            })
            .collect();
        json!({
            "nodes": nodes,
            "attempted": attempted,
            "pass": if pass.is_complete { "complete" } else { "stopped" },
            "done": pass.done.len(),
            "total": self.payload.manifests.len(),
            "failure": UpdateError::of_all(failures.clone()).map(|failure| failure_json(&failure)),
            "conditions": conditions,
            "history_state": if pass.is_complete && failures.is_empty() { "Completed" } else { "Partial" },
        })
    }
}

fn failure_json(failure: &UpdateError) -> Json {
    let effect = match failure.effect {
        Effect::Ordinary => "",
        Effect::None => "None",
        Effect::Report => "Report",
        Effect::Fail => "Fail",
        Effect::FailAfterInterval => "FailAfterInterval",
    };
    let names = (failure.names.len() > 1).then_some(&failure.names);
    let mut json = json!({
        "reason": failure.reason, "message": failure.message, "effect": effect,
        "name": failure.names.join(", "), "names": names,
    });
    if !failure.detail.is_empty() {
        json["detail"] = failure.detail.clone().into();
    }
    json
}

#[test]
fn graph_task_vectors() {
    compare("graph_task_vectors", "cvo-vectors/graph-tasks.jsonl", |case, _| {
        let (ours, real) = (Case::of(&case["input"]).answer(), &case["expected"]);
        (ours != *real).then(|| format!("\n  ours {ours}\n  real {real}"))
    });
}

fn failure(name: &str, hold: &Hold, mode: Mode) -> UpdateError {
    UpdateError::of_operator(name, hold, None, (1, 2), mode)
}

fn progressing(done: usize, total: usize, failures: &[UpdateError]) -> String {
    let situation = Situation {
        mode: Mode::Updating,
        version: "4.15.0",
        completed: Some("4.14.0"),
        done,
        total,
        failures,
        is_complete: false,
        waited: &|_| 0,
    };
    situation.conditions()[2].message.clone()
}

/// During an installation, a degraded operator matters only if nothing else is wrong.
#[test]
fn what_is_only_reported_does_not_hide_what_stops() {
    let mode = Mode::Initializing;
    let reported = failure("etcd", &Hold::Degraded, mode);
    let real = failure("dns", &Hold::NotAvailable, mode);
    let both = UpdateError::of_all(vec![reported.clone(), real.clone()]);
    assert_eq!(both, Some(real));
    assert_eq!(UpdateError::of_all(vec![reported.clone()]), Some(reported));
}

#[test]
fn percentages_are_as_inexact_as_those_of_the_operator() {
    assert!(progressing(477, 900, &[]).ends_with("(52% complete)"));
    assert!(progressing(450, 900, &[]).ends_with("(50% complete)"));
    let waits = failure("dns", &Hold::OldVersions(Vec::new()), Mode::Updating);
    assert_eq!(progressing(0, 5, &[waits]), "Working towards 4.15.0: waiting on dns");
    assert_eq!(progressing(0, 5, &[]), "Working towards 4.15.0");
}

/// What administrators read when servers and workloads fail.
#[test]
fn each_kind_of_failure_has_a_summary() {
    let summary = |failure: UpdateError| {
        let said = progressing(2, 9, &[failure]);
        said.strip_prefix("Unable to apply 4.15.0: ").unwrap().to_owned()
    };
    let of_manifest = |reason| summary(refused("job \"ns/x\"", (3, 9), (reason, ""), ""));
    assert_eq!(of_manifest("ClusterError"), "the control plane is reporting an internal error");
    assert_eq!(of_manifest("ClusterDown"), "the control plane is down or not responding");
    assert_eq!(of_manifest("ResourceInvalid"), "some cluster configuration is invalid");
    assert_eq!(of_manifest("Failed"), "the update could not be applied");
    let of_workload = |reason| summary(workload("ns/x", reason, "no pods", ""));
    let waits = "the workload ns/x has not yet successfully rolled out";
    assert_eq!(of_workload("NotAvailable"), waits);
    assert_eq!(of_workload("NotProgressing"), "the workload ns/x cannot roll out");
}

/// Two components that say the same are two errors, but one line.
#[test]
fn equal_texts_of_two_components_are_said_once() {
    let one = workload("ns/a", "NotAvailable", "no pods", "");
    let two = workload("ns/b", "NotAvailable", "no pods", "");
    let both = UpdateError::of_all(vec![one, two]).unwrap();
    assert_eq!(both.reason, "MultipleErrors");
    assert_eq!(both.message, "Multiple errors are preventing progress:\n* no pods");
}
