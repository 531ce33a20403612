//! Why a node is not available.

use serde_json::Value as Json;

use super::objects::{annotation, conditions, name, of_daemon};
use super::time::{Duration, Time};
use crate::go::quoted;

/// Conditions of a node: the type, the good status, the reason to show, the words for a summary,
/// and how many minutes a bad status is not an issue.
const CONDITIONS: [(&str, &str, &str, &str, i64); 3] = [
    ("Ready", "True", "Not ready", "is not ready", 5),
    ("DiskPressure", "False", "Disk pressure", "has disk pressure", 1),
    ("NetworkUnavailable", "False", "Network unavailable", "has unavailable network", 1),
];

/// Something that makes a node unavailable.
#[derive(Debug)]
struct Cause {
    reason: String,
    summary: String,
    description: String,
    since: Time,
    /// Whether it does not pass by itself.
    is_serious: bool,
}

/// Whether a node is available, and why not.
#[derive(Debug, Default)]
pub(super) struct Availability {
    pub(super) is_unavailable: bool,
    causes: Vec<Cause>,
}

impl Availability {
    /// The availability of a node of a pool.
    pub(super) fn of(node: &Json, pool: &Json, now: Time) -> Self {
        let mut causes: Vec<Cause> = bad_conditions(node, now).collect();
        if node["spec"]["unschedulable"].as_bool() == Some(true) {
            causes.push(passing("Node is marked unschedulable"));
        }
        let state = of_daemon(node, "state");
        let is_at_work = !is_done(node) && !["Degraded", "Unreconcilable"].contains(&state);
        if causes.is_empty() && is_at_work {
            causes.push(passing("Machine Config Daemon is processing the node"));
        }
        let is_down = !causes.is_empty();
        let has_image = is_down && has_image_of(node, pool, &mut causes);
        Self { is_unavailable: is_down && has_image, causes }
    }

    pub(super) fn is_serious(&self) -> bool {
        self.causes.iter().any(|cause| cause.is_serious)
    }

    /// The time since which the node is unavailable. The zero time if it is unknown.
    pub(super) fn since(&self) -> Time {
        let known = self.causes.iter().map(|cause| cause.since).filter(|since| !since.is_zero());
        known.min().unwrap_or(Time::ZERO)
    }

    pub(super) fn reasons(&self) -> String {
        self.joined(|cause| &cause.reason)
    }

    pub(super) fn summary(&self) -> String {
        self.joined(|cause| &cause.summary)
    }

    pub(super) fn description(&self) -> String {
        self.joined(|cause| &cause.description)
    }

    fn joined(&self, text: impl Fn(&Cause) -> &String) -> String {
        let texts: Vec<&str> = self.causes.iter().map(|cause| text(cause).as_str()).collect();
        texts.join(" | ")
    }
}

/// A cause that passes by itself.
fn passing(reason: &str) -> Cause {
    let text = reason.to_owned();
    let (summary, description) = (text.clone(), text.clone());
    Cause { reason: text, summary, description, since: Time::ZERO, is_serious: false }
}

fn bad_conditions(node: &Json, now: Time) -> impl Iterator<Item = Cause> {
    conditions(node).filter_map(move |condition| {
        let known = CONDITIONS.iter().find(|(kind, ..)| *kind == condition.kind)?;
        let &(kind, good, reason, words, minutes) = known;
        (condition.status != good).then(|| Cause {
            reason: reason.to_owned(),
            summary: format!("Node {} {words}", name(node)),
            description: format!(
                "Node has a {kind}!={good} condition with Reason {} and message {}",
                quoted(reason),
                quoted(condition.message),
            ),
            since: condition.changed,
            is_serious: now.since(condition.changed) >= Duration::minutes(minutes),
        })
    })
}

/// Whether the node has the configuration that it was told to have.
fn is_done(node: &Json) -> bool {
    let agree = |key: &str| {
        let [current, desired] = ["current", "desired"].map(|it| format!("{it}{key}"));
        let (current, desired) = (of_daemon(node, &current), of_daemon(node, &desired));
        !current.is_empty() && current == desired
    };
    let has =
        |key: &str| annotation(node, &format!("machineconfiguration.openshift.io/{key}")).is_some();
    let images_agree = !has("currentImage") && !has("desiredImage") || agree("Image");
    agree("Config") && images_agree && of_daemon(node, "state") == "Done"
}

/// Whether the node was told to have the image of its pool. Only pools that build images have one.
fn has_image_of(node: &Json, pool: &Json, causes: &mut Vec<Cause>) -> bool {
    let told = of_daemon(node, "desiredImage");
    let labels = &pool["metadata"]["labels"];
    let builds = !labels["machineconfiguration.openshift.io/layering-enabled"].is_null();
    let image = of_daemon(pool, "newestImageEquivalentConfig");
    if !builds || image.is_empty() {
        return told.is_empty();
    }
    if told != image {
        let key = "machineconfiguration.openshift.io/newestImageEquivalentConfig";
        let reason = format!("Node has an unexpected annotation {key}={image}");
        causes.push(Cause { is_serious: true, ..passing(&reason) });
    }
    told == image
}
