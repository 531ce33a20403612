//! What blocks updates to other minor versions: the condition `Upgradeable`.

use super::super::Level;
use super::super::object::parse_version;
use super::super::object::{ClusterVersion, Condition, ObjectRisk, condition as condition_of};
use super::super::recommendation::is_reason;
use super::{FoundRisk, InCluster, is_overridden, risk, upgradeable_conditions};
use crate::domain::Minor;
use crate::go::{self, quoted};

/// The documentation of OpenShift, without a version.
const DOCS: &str = "https://docs.redhat.com/en/documentation/openshift_container_platform/";

/// What blocks updates to other minor versions.
#[derive(Debug, Default)]
pub(in super::super) struct Blockers {
    pub(in super::super) risks: Vec<ObjectRisk>,
    /// What the operator could not determine.
    pub(in super::super) errors: Vec<String>,
    /// The existing condition of the object, if that counts instead.
    known: Option<Condition>,
}

impl Blockers {
    /// The blockers of a cluster that runs a version.
    pub(in super::super) fn of(
        cluster: &ClusterVersion,
        running: &str,
        inside: &InCluster,
    ) -> Self {
        let known = condition_of(&cluster.status.conditions, "Upgradeable");
        if let Some(known) = known.filter(|_| !inside.missing.is_empty()) {
            let risks = known_risk(known).into_iter().collect();
            return Self { risks, errors: Vec::new(), known: Some(known.clone()) };
        }
        let version = parse_version(running);
        let mut found = Self::default();
        match &version {
            Ok(version) => {
                let docs = docs(Minor::of(version));
                found.risks.extend(updating(cluster, &docs));
                found.risks.extend(overrides(cluster, &docs));
                found.risks.extend(admin_acks(inside, Minor::of(version)));
                found.risks.extend(cluster_operators(inside, &docs));
            }
            Err(words) => {
                let needs_version = [is_updating(cluster), is_overridden(cluster)];
                let needs_version = needs_version.into_iter().filter(|needs_it| *needs_it);
                found.errors.extend(needs_version.map(|_| {
                    format!("failed to parse current target {} to SemVer: {words}", quoted(running))
                }));
                let sources = [
                    ("ResourceDeletionInProgressUnknown", "resource deletion"),
                    ("AdminAckUnknown", "admin-acks"),
                    ("ClusterOperatorUpgradeableUnknown", "Upgradeable conditions"),
                ];
                for (name, what) in sources {
                    let message =
                        format!("Failed to parse cluster version to check {what}: {words}");
                    found.risks.push(risk(name.into(), message, DOCS.into()));
                    found.errors.push(words.clone().to_string());
                }
            }
        }
        found
    }

    pub(super) fn into_risks(self) -> impl Iterator<Item = FoundRisk> {
        self.risks.into_iter().map(|risk| FoundRisk { risk, affects_patches: false })
    }
}

/// The existing condition of the object, as a risk.
fn known_risk(known: &Condition) -> Option<ObjectRisk> {
    let name = if known.reason.is_empty() { "Upgradeable" } else { &known.reason };
    let is_blocked = known.status == "False";
    is_blocked.then(|| risk(name.to_owned(), known.message.clone(), DOCS.to_owned()))
}

/// The conditions that report the blockers. Empty if nothing blocks.
pub(in super::super) fn conditions(
    blockers: &Blockers,
    cluster: &ClusterVersion,
    inside: &InCluster,
    level: Level,
) -> Vec<Condition> {
    if let Some(known) = &blockers.known {
        return vec![known.clone()];
    }
    if !level.has_risks_of_upgradeable() {
        return upgradeable_conditions::conditions(cluster, inside, level);
    }
    condition(&blockers.risks).into_iter().collect()
}

fn condition(blockers: &[ObjectRisk]) -> Option<Condition> {
    let (reason, message) = match blockers {
        [] => return None,
        [only] => {
            let is_valid = is_reason(&only.name);
            let reason =
                if is_valid { &only.name } else { "RiskNameNotCompatibleWithReasonProperty" };
            (reason, only.message.clone())
        }
        several => {
            let lines = several.iter().map(|risk| format!("\n* {}", risk.message));
            let head = "Cluster should not be upgraded between minor or major versions for \
                        multiple reasons:";
            ("MultipleReasons", format!("{head}{}", lines.collect::<String>()))
        }
    };
    Some(Condition::new("Upgradeable", "False", reason, &message))
}

fn docs(minor: Minor) -> String {
    format!("{DOCS}{minor}/html")
}

fn about_operators(docs: &str) -> String {
    format!(
        "{docs}/updating_clusters/understanding-openshift-updates-1\
         #understanding_clusteroperator_conditiontypes_understanding-openshift-updates"
    )
}

fn is_updating(cluster: &ClusterVersion) -> bool {
    condition_of(&cluster.status.conditions, "Progressing").is_some_and(|one| one.status == "True")
}

fn updating(cluster: &ClusterVersion, docs: &str) -> Option<ObjectRisk> {
    let message = "An update is already in progress and the details are in the Progressing \
                   condition.";
    is_updating(cluster)
        .then(|| risk("ClusterVersionUpdating".into(), message.into(), about_operators(docs)))
}

fn overrides(cluster: &ClusterVersion, docs: &str) -> Option<ObjectRisk> {
    let message = "Disabling ownership via cluster version overrides prevents updates between \
                   minor or major versions. Please remove overrides before requesting a minor or \
                   major version update.";
    let url = format!("{docs}/config_apis/clusterversion-config-openshift-io-v1#spec-8");
    is_overridden(cluster).then(|| risk("ClusterVersionOverrides".into(), message.into(), url))
}

fn admin_acks(inside: &InCluster, running: Minor) -> Vec<ObjectRisk> {
    let mut found = Vec::new();
    for (gate, text) in &inside.admin_gates {
        let message = match minor_of_gate(gate) {
            Err(why) => {
                format!("admin-gates configmap gate {} is invalid: {why}", quoted(gate))
            }
            Ok(minor) if minor != running => continue,
            Ok(_) if text.is_empty() => {
                format!("admin-gates configmap gate {gate} must contain a non-empty value.")
            }
            Ok(_) if inside.admin_acks.get(gate).is_some_and(|ack| ack == "true") => continue,
            Ok(_) => text.clone(),
        };
        let url = first_link(&message).unwrap_or(DOCS).to_owned();
        found.push(risk(format!("AdminAck-{gate}"), message, url));
    }
    found
}

/// The minor version in the name of a gate, `ack-4.18-…`. The error is the operator's message.
fn minor_of_gate(gate: &str) -> Result<Minor, go::Error> {
    let minor = named_minor(gate).ok_or_else(|| {
        format!(
            "admin-gates configmap gate name {gate} has invalid format; must comply with {}",
            quoted("^ack-([4-5][.][0-9]{1,})-[^-]")
        )
    })?;
    let version = parse_version(&format!("{minor}.0")).map_err(|words| {
        format!("failed to parse SemVer ack version from admin-gate {}: {words}", quoted(gate))
    })?;
    Ok(Minor::of(&version))
}

fn named_minor(gate: &str) -> Option<&str> {
    let (minor, what) = gate.strip_prefix("ack-")?.split_once('-')?;
    let digits = minor.strip_prefix("4.").or_else(|| minor.strip_prefix("5."))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !what.is_empty() && !what.starts_with('-')).then_some(minor)
}

/// The first URL in a text, up to the next space.
fn first_link(text: &str) -> Option<&str> {
    let start = text.find("https://")?;
    text[start..].split_whitespace().next()
}

fn cluster_operators(inside: &InCluster, docs: &str) -> Vec<ObjectRisk> {
    let blocking = inside.cluster_operators.iter().filter(|operator| operator.is_blocking());
    let found = blocking.filter_map(|operator| {
        let name = format!("ClusterOperatorUpgradeable-{}", operator.name);
        let said = condition_of(&operator.conditions, "Upgradeable")?;
        Some(risk(name, said.message.clone(), about_operators(docs)))
    });
    let mut found: Vec<ObjectRisk> = found.collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}
