//! What blocks updates to other minor versions: the condition `Upgradeable`.

use super::super::object::parse_version;
use super::super::object::{ClusterVersion, Condition, ObjectRisk, condition as condition_of};
use super::super::recommendation::is_reason;
use super::{FoundRisk, InCluster, risk};
use crate::domain::{Minor, Version};
use crate::promql::quoted;

/// What blocks updates to other minor versions.
#[derive(Debug, Default)]
pub(in super::super) struct Blockers {
    pub(in super::super) risks: Vec<ObjectRisk>,
    /// What the operator cannot find out.
    pub(in super::super) errors: Vec<String>,
}

impl Blockers {
    /// Of a cluster that runs a version.
    pub(in super::super) fn of(
        cluster: &ClusterVersion,
        running: &str,
        inside: &InCluster,
    ) -> Self {
        let version = parse_version(running);
        let docs = version
            .as_ref()
            .map_or_else(|_| docs("4.0"), |version| docs(&Minor::of(version).to_string()));
        let mut found = Self::default();
        found.risks.extend(updating(cluster, &docs));
        found.risks.extend(overrides(cluster, &docs));
        match &version {
            Ok(version) => {
                found.risks.extend(admin_acks(inside, version, &docs));
                found.risks.extend(cluster_operators(inside, &docs));
            }
            Err(words) => {
                let sources = [
                    ("ResourceDeletionInProgressUnknown", "resource deletion"),
                    ("AdminAckUnknown", "admin-acks"),
                    ("ClusterOperatorUpgradeableUnknown", "Upgradeable conditions"),
                ];
                for (name, what) in sources {
                    let message =
                        format!("Failed to parse cluster version to check {what}: {words}");
                    found.risks.push(risk(name.into(), message, about_operators(&docs)));
                    found.errors.push(words.clone());
                }
            }
        }
        found
    }

    pub(super) fn into_risks(self) -> impl Iterator<Item = FoundRisk> {
        self.risks.into_iter().map(|risk| FoundRisk { risk, affects_patches: false })
    }
}

/// The condition. None if nothing blocks.
pub(in super::super) fn condition(blockers: &[ObjectRisk]) -> Option<Condition> {
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

fn docs(minor: &str) -> String {
    format!("https://docs.redhat.com/en/documentation/openshift_container_platform/{minor}/html")
}

fn about_operators(docs: &str) -> String {
    format!(
        "{docs}/updating_clusters/understanding-openshift-updates-1\
         #understanding_clusteroperator_conditiontypes_understanding-openshift-updates"
    )
}

fn updating(cluster: &ClusterVersion, docs: &str) -> Option<ObjectRisk> {
    let progressing = condition_of(&cluster.status.conditions, "Progressing")?;
    let message = "An update is already in progress and the details are in the Progressing \
                   condition.";
    (progressing.status == "True")
        .then(|| risk("ClusterVersionUpdating".into(), message.into(), about_operators(docs)))
}

fn overrides(cluster: &ClusterVersion, docs: &str) -> Option<ObjectRisk> {
    let message = "Disabling ownership via cluster version overrides prevents updates between \
                   minor or major versions. Please remove overrides before requesting a minor or \
                   major version update.";
    let url = format!("{docs}/config_apis/clusterversion-config-openshift-io-v1#spec-8");
    let is_unmanaged = cluster.spec.overrides.iter().any(|one| one.unmanaged);
    is_unmanaged.then(|| risk("ClusterVersionOverrides".into(), message.into(), url))
}

fn admin_acks(inside: &InCluster, version: &Version, docs: &str) -> Vec<ObjectRisk> {
    let mut found = Vec::new();
    let running = Minor::of(version).to_string();
    for (gate, text) in &inside.admin_gates {
        let message = match minor_of_gate(gate) {
            None => format!(
                "admin-gates configmap gate name {gate} has invalid format; must comply with {}.",
                quoted("^ack-([4-5][.][0-9]{1,})-[^-]")
            ),
            Some(minor) if minor != running => continue,
            Some(_) if text.is_empty() => {
                format!("admin-gates configmap gate {gate} must contain a non-empty value.")
            }
            Some(_) if inside.admin_acks.get(gate).is_some_and(|ack| ack == "true") => continue,
            Some(_) => text.clone(),
        };
        let url = message.split_whitespace().find(|word| word.starts_with("https://"));
        let url = url.map_or_else(|| about_operators(docs), str::to_owned);
        found.push(risk(format!("AdminAck-{gate}"), message, url));
    }
    found
}

/// The minor version of a gate's name, `ack-4.18-…`.
fn minor_of_gate(gate: &str) -> Option<&str> {
    let (minor, what) = gate.strip_prefix("ack-")?.split_once('-')?;
    let digits = minor.strip_prefix("4.").or_else(|| minor.strip_prefix("5."))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !what.is_empty() && !what.starts_with('-')).then_some(minor)
}

fn cluster_operators(inside: &InCluster, docs: &str) -> Vec<ObjectRisk> {
    let mut found = Vec::new();
    for operator in &inside.cluster_operators {
        let upgradeable = condition_of(&operator.conditions, "Upgradeable");
        if let Some(condition) = upgradeable.filter(|condition| condition.status == "False") {
            let name = format!("ClusterOperatorUpgradeable-{}", operator.name);
            found.push(risk(name, condition.message.clone(), about_operators(docs)));
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}
