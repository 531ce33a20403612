//! The nodes of a pool, and the progress of each.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::availability::Availability;
use super::health::{Impact, Issue, IssueLevel, Resource};
use super::objects::{annotation, name, of_daemon, of_kind};
use super::time::Time;
use super::update::History;
use crate::objects::text_at;

const NODES_PAGE: &str = "https://docs.openshift.com/container-platform/latest/\
    post_installation_configuration/machine-configuration-tasks.html\
    #understanding-the-machine-config-operator";

/// No real version is longer. A longer one is not repeated for each node.
const LONGEST_VERSION: usize = 256;

/// What happens to a node, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Draining,
    Updating,
    Rebooting,
    Paused,
    Pending,
    Updated,
}

impl Phase {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Draining => "Draining",
            Self::Updating => "Updating",
            Self::Rebooting => "Rebooting",
            Self::Paused => "Paused",
            Self::Pending => "Pending",
            Self::Updated => "Updated",
        }
    }
}

/// The verdict on a node, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Assessment {
    Degraded,
    Unavailable,
    Progressing,
    Excluded,
    Outdated,
    Completed,
}

impl Assessment {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Degraded => "Degraded",
            Self::Unavailable => "Unavailable",
            Self::Progressing => "Progressing",
            Self::Excluded => "Excluded",
            Self::Outdated => "Outdated",
            Self::Completed => "Completed",
        }
    }
}

/// A node, as the table shows it.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are counted one by one")]
pub(super) struct NodeState<'a> {
    pub(super) name: &'a str,
    pub(super) assessment: Assessment,
    pub(super) phase: Phase,
    /// None if no MachineConfig has the version.
    pub(super) version: Option<&'a str>,
    pub(super) estimate: &'static str,
    pub(super) message: String,
    pub(super) is_unavailable: bool,
    pub(super) is_degraded: bool,
    pub(super) is_updating: bool,
    pub(super) is_updated: bool,
}

/// The version of OpenShift of each MachineConfig.
#[derive(Debug, Default)]
pub(super) struct Versions<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Versions<'a> {
    pub(super) fn of(objects: &'a [Json]) -> Self {
        let versions = of_kind(objects, "MachineConfig").filter_map(|config| {
            let version = of_daemon(config, "release-image-version");
            (1..=LONGEST_VERSION).contains(&version.len()).then(|| (name(config), version))
        });
        Self(versions.collect())
    }

    /// The version of a MachineConfig. None if it is unknown.
    pub(super) fn of_config(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }
}

/// What the state of a node depends on besides the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'a> {
    pub(super) history: &'a History<'a>,
    pub(super) versions: &'a Versions<'a>,
    /// Whether the cluster migrates to multiple architectures.
    pub(super) is_migrating: bool,
    pub(super) now: Time,
}

/// The state of a node of a pool, and its issues.
pub(super) fn state<'a>(
    node: &'a Json,
    pool: &Json,
    around: Surroundings<'a>,
) -> (NodeState<'a>, Vec<Issue>) {
    let (current, desired) = (of_daemon(node, "currentConfig"), of_daemon(node, "desiredConfig"));
    let version = around.versions.of_config(current);
    let is_of_target = |version: Option<&str>| version.is_some_and(|it| around.history.is_at(it));
    let is_told = desired == text_at(pool, "/spec/configuration/name");
    let has_desired = annotation(node, "machineconfiguration.openshift.io/desiredConfig").is_some();
    // A migration to multiple architectures does not change the version.
    let may_be_updated = !around.is_migrating || !has_desired || current == desired && is_told;
    let is_updated = is_of_target(version) && may_be_updated;
    let is_updating = !is_updated
        && version.is_some()
        && is_of_target(around.versions.of_config(desired))
        && current != desired
        && is_told;
    let phase = phase(node, pool, is_updating, is_updated);
    let is_degraded =
        !desired.is_empty() && ["Degraded", "Unreconcilable"].contains(&of_daemon(node, "state"));
    let availability = Availability::of(node, pool, around.now);
    let is_missed = availability.is_unavailable && !is_updating;

    let (mut assessment, mut estimate) = usual(phase);
    let (mut message, mut summary, mut description) = <(String, String, String)>::default();
    if is_missed {
        assessment = Assessment::Unavailable;
        message = availability.reasons();
        summary = availability.summary();
        description = availability.description();
    }
    if is_degraded {
        assessment = Assessment::Degraded;
        of_daemon(node, "reason").clone_into(&mut message);
        description.clone_from(&message);
    }
    if is_missed || is_degraded {
        estimate = if is_updated { "-" } else { "?" };
    }
    let name = name(node);
    let mut issues = Vec::new();
    let mut add = |since, level, impact, summary| {
        let (description, reference) = (description.clone(), NODES_PAGE.to_owned());
        let resource = Resource::Node(name.to_owned());
        issues.push(Issue { since, level, impact, summary, description, reference, resource });
    };
    if availability.is_serious() && !is_updating {
        add(availability.since(), IssueLevel::Warning, Impact::UpdateSpeed, summary);
    }
    if is_degraded {
        let summary = format!("Node {name} is degraded");
        add(Time::ZERO, IssueLevel::Error, Impact::UpdateStalled, summary);
    }
    let state = NodeState {
        name,
        assessment,
        phase,
        version: version.filter(|version| !version.is_empty()),
        estimate,
        message: if name.len() < 8 { message } else { message.replace(name, "<node>") },
        is_unavailable: availability.is_unavailable,
        is_degraded,
        is_updating,
        is_updated,
    };
    (state, issues)
}

fn phase(node: &Json, pool: &Json, is_updating: bool, is_updated: bool) -> Phase {
    if is_updating && is_draining(node) {
        return Phase::Draining;
    }
    if is_updating {
        return match of_daemon(node, "state") {
            "Rebooting" => Phase::Rebooting,
            "Done" => Phase::Updated,
            _ => Phase::Updating,
        };
    }
    let is_paused = pool["spec"]["paused"].as_bool() == Some(true);
    match (is_updated, is_paused) {
        (true, _) => Phase::Updated,
        (false, true) => Phase::Paused,
        (false, false) => Phase::Pending,
    }
}

/// Whether a node that is being updated is drained. This includes nodes whose daemon has not begun
/// yet.
fn is_draining(node: &Json) -> bool {
    let [desired, applied] = ["desiredDrain", "lastAppliedDrain"].map(|key| of_daemon(node, key));
    if desired.is_empty() || applied.is_empty() {
        return false;
    }
    let is_told = desired != applied && desired.split('-').next() == Some("drain");
    is_told || of_daemon(node, "state") == "Done"
}

/// The verdict on a node in this phase, and the time that it usually needs.
fn usual(phase: Phase) -> (Assessment, &'static str) {
    match phase {
        Phase::Draining => (Assessment::Progressing, "+10m"),
        Phase::Updating | Phase::Rebooting => (Assessment::Progressing, "+5m"),
        Phase::Paused => (Assessment::Excluded, "-"),
        Phase::Pending => (Assessment::Outdated, "?"),
        Phase::Updated => (Assessment::Completed, "-"),
    }
}
