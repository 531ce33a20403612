//! The operators of the control plane: how many are updated, and what is wrong with them.

use serde_json::Value as Json;

use super::health::{Impact, Issue, IssueLevel, Resource};
use super::objects::{Condition, condition, list, name, of_kind};
use super::time::{Duration, Time};
use crate::objects::text_at;

/// The operator that updates the nodes. It is the last one to be updated.
const MACHINE_CONFIG: &str = "machine-config";
const RUNBOOKS: &str = "https://github.com/openshift/runbooks/blob/master/alerts/\
    cluster-monitoring-operator";

/// An operator that is being updated.
#[derive(Debug)]
pub(super) struct Updating<'a> {
    pub(super) name: &'a str,
    pub(super) progressing: Condition<'a>,
}

/// The operators of a release.
#[derive(Debug)]
pub(super) struct Operators<'a> {
    pub(super) total: usize,
    pub(super) updated: usize,
    /// Operators that are not updated, and do not progress.
    pub(super) waiting: usize,
    pub(super) updating: Vec<Updating<'a>>,
    unavailable: usize,
    /// Operators that are available but degraded.
    degraded: usize,
    /// The last time that an operator began or stopped progressing.
    last_change: Time,
    pub(super) issues: Vec<Issue>,
}

impl<'a> Operators<'a> {
    /// Reads the operators. `target` is the version to update to. `image` is the image of the
    /// machine-config operator, if the objects have its Deployment.
    pub(super) fn of(
        objects: &'a [Json],
        target: &str,
        image: Option<&str>,
        now: Time,
    ) -> Operators<'a> {
        let mut found = Self {
            total: 0,
            updated: 0,
            waiting: 0,
            updating: Vec::new(),
            unavailable: 0,
            degraded: 0,
            last_change: Time::ZERO,
            issues: Vec::new(),
        };
        for operator in of_kind(objects, "ClusterOperator").filter(|one| is_in_release(one)) {
            found.add(operator, target, image, now);
        }
        found
    }

    fn add(&mut self, operator: &'a Json, target: &str, image: Option<&str>, now: Time) {
        let name = name(operator);
        let is_updated = is_updated(operator, target, image);
        let of = |kind: &str| condition(operator, kind);
        let (available, degraded) = (of("Available"), of("Degraded"));
        self.total += 1;
        self.updated += usize::from(is_updated);
        if let Some(progressing) = of("Progressing") {
            self.last_change = self.last_change.max(progressing.changed);
            match progressing.status {
                "True" if !is_updated => self.updating.push(Updating { name, progressing }),
                "False" if !is_updated => self.waiting += 1,
                _ => {}
            }
        }
        if available.is_none_or(|condition| condition.status != "True") {
            self.unavailable += 1;
        } else if degraded.is_some_and(|condition| condition.status == "True") {
            self.degraded += 1;
        }
        let available = available.filter(|condition| condition.status == "False");
        let degraded = degraded.filter(|condition| condition.status == "True");
        let down = available.and_then(|condition| unavailable(name, condition, now));
        self.issues.extend(down);
        self.issues.extend(degraded.and_then(|condition| degraded_issue(name, condition, now)));
    }

    pub(super) fn are_updated(&self) -> bool {
        self.updated == self.total
    }

    #[allow(clippy::cast_precision_loss, reason = "as Go calculates it")]
    pub(super) fn share_updated(&self) -> f64 {
        self.updated as f64 / self.total as f64
    }

    /// The time of the last progress. Operators with pods on all nodes progress whenever a node
    /// reboots, so they do not count once only the nodes are left.
    pub(super) fn last_progress(&self) -> Time {
        let nodes = self.updating.iter().find(|one| one.name == MACHINE_CONFIG);
        match nodes {
            Some(nodes)
                if self.total - self.updated == 1 && !nodes.progressing.changed.is_zero() =>
            {
                nodes.progressing.changed
            }
            _ => self.last_change,
        }
    }

    /// The names of the operators that are being updated, separated by commas.
    pub(super) fn names_of_updating(&self) -> String {
        let names: Vec<&str> = self.updating.iter().map(|one| one.name).collect();
        names.join(", ")
    }

    pub(super) fn health(&self) -> String {
        let mut parts = vec![format!("{} Healthy", self.total - self.unavailable - self.degraded)];
        let counts = [(self.unavailable, "Unavailable"), (self.degraded, "Available but degraded")];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            parts.push(format!("{count} {what}"));
        }
        parts.join(", ")
    }
}

/// The image that the machine-config operator should run, if the objects have its Deployment.
pub(super) fn machine_config_image(objects: &[Json]) -> Option<&str> {
    let mut deployments = of_kind(objects, "Deployment");
    let deployment = deployments.find(|one| {
        name(one) == "machine-config-operator"
            && text_at(one, "/metadata/namespace") == "openshift-machine-config-operator"
    })?;
    let mut containers = list(deployment, "/spec/template/spec/containers").iter();
    let container = containers.find(|one| text_at(one, "/name") == "machine-config-operator");
    Some(container.map_or("", |container| text_at(container, "/image")))
}

/// Whether the image of the machine-config operator is necessary to tell whether that operator is
/// updated.
pub(super) fn needs_image(objects: &[Json]) -> bool {
    of_kind(objects, "ClusterOperator").any(|one| {
        name(one) == MACHINE_CONFIG
            && is_in_release(one)
            && version(one, "operator-image").is_some()
    })
}

/// Whether the operator is part of the release. Other operators do not have these annotations.
fn is_in_release(operator: &Json) -> bool {
    let prefixes = ["exclude.release.openshift.io/", "include.release.openshift.io/"];
    let annotations = operator["metadata"]["annotations"].as_object().into_iter().flatten();
    let mut keys = annotations.map(|(key, _)| key);
    keys.any(|key| prefixes.iter().any(|prefix| key.starts_with(prefix)))
}

fn version<'a>(operator: &'a Json, of: &str) -> Option<&'a str> {
    let versions = list(operator, "/status/versions").iter();
    let mut of_name = versions.filter(|one| text_at(one, "/name") == of);
    of_name.next().map(|one| text_at(one, "/version"))
}

/// Whether the operator is updated. A migration to multiple architectures changes not the version,
/// but the image of the machine-config operator.
fn is_updated(operator: &Json, target: &str, image: Option<&str>) -> bool {
    let has_other_image = name(operator) == MACHINE_CONFIG
        && image.zip(version(operator, "operator-image")).is_some_and(|(is, says)| is != says);
    let versions = list(operator, "/status/versions").iter();
    let mut operators = versions.filter(|one| text_at(one, "/name") == "operator");
    !has_other_image && operators.any(|one| text_at(one, "/version") == target)
}

fn unavailable(name: &str, available: Condition<'_>, now: Time) -> Option<Issue> {
    issue(name, available, "unavailable", "ClusterOperatorDown.md", Duration::minutes(20), now)
}

fn degraded_issue(name: &str, degraded: Condition<'_>, now: Time) -> Option<Issue> {
    issue(name, degraded, "degraded", "ClusterOperatorDegraded.md", Duration::minutes(40), now)
}

/// An issue about a condition. It is a warning after five minutes, and an error after
/// `error_after`.
fn issue(
    name: &str,
    condition: Condition<'_>,
    state: &str,
    page: &str,
    error_after: Duration,
    now: Time,
) -> Option<Issue> {
    let Condition { changed, reason, message, .. } = condition;
    if now <= changed.plus(Duration::minutes(5)) {
        return None;
    }
    let is_error = now > changed.plus(error_after);
    Some(Issue {
        since: changed,
        level: if is_error { IssueLevel::Error } else { IssueLevel::Warning },
        impact: Impact::ApiAvailability,
        summary: format!("Cluster Operator {name} is {state} ({reason})"),
        description: if message.is_empty() { "<no message>" } else { message }.to_owned(),
        reference: format!("{RUNBOOKS}/{page}"),
        resource: Resource::ClusterOperator(name.to_owned()),
    })
}
