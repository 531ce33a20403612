//! What blocks updates to other minor versions, in operators before 4.23. They report it as
//! conditions, not as risks.

use std::collections::BTreeMap;

use super::super::Level;
use super::super::object::{ClusterVersion, Condition, condition};
use super::{InCluster, is_overridden};
use crate::go::quoted;

/// The conditions. If there are several causes, each has its own condition, too.
pub(super) fn conditions(
    cluster: &ClusterVersion,
    inside: &InCluster,
    level: Level,
) -> Vec<Condition> {
    let found = [overrides(cluster, level), admin_acks(cluster, inside), cluster_operators(inside)];
    let mut found: Vec<Condition> = found.into_iter().flatten().collect();
    let all = match found.as_mut_slice() {
        [] => return Vec::new(),
        [only] => {
            "Upgradeable".clone_into(&mut only.kind);
            return found;
        }
        several => {
            let of = |part: fn(&Condition) -> &str, between: &str| {
                several.iter().map(part).collect::<Vec<_>>().join(between)
            };
            let message = format!(
                "Cluster should not be upgraded between minor versions for multiple reasons: \
                 {}\n* {}",
                of(|one| &one.reason, ","),
                of(|one| &one.message, "\n* ")
            );
            Condition::new("Upgradeable", "False", "MultipleReasons", &message)
        }
    };
    found.push(all);
    found.sort_by(|a, b| a.kind.cmp(&b.kind));
    found
}

fn overrides(cluster: &ClusterVersion, level: Level) -> Option<Condition> {
    let message = if level.takes_patches_with_overrides() {
        "Disabling ownership via cluster version overrides prevents upgrades between minor or major \
         versions. Please remove overrides before requesting a minor or major version update."
    } else {
        "Disabling ownership via cluster version overrides prevents upgrades. Please remove \
         overrides before continuing."
    };
    let kind = "UpgradeableClusterVersionOverrides";
    let reason = "ClusterVersionOverridesSet";
    is_overridden(cluster).then(|| Condition::new(kind, "False", reason, message))
}

fn admin_acks(cluster: &ClusterVersion, inside: &InCluster) -> Option<Condition> {
    let history = &cluster.status.history;
    let completed = history.iter().find(|entry| entry.state == "Completed").or(history.last());
    let running = completed.map_or(&cluster.status.desired.version, |entry| &entry.version);
    let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (gate, text) in &inside.admin_gates {
        let (reason, message) = match minor_of_gate(gate) {
            None => {
                let pattern = quoted("^ack-[4-5][.]([0-9]{1,})-[^-]");
                let message = format!(
                    "admin-gates configmap gate name {gate} has invalid format; must comply with \
                     {pattern}."
                );
                ("AdminAckConfigMapGateNameError", message)
            }
            Some(minor) if Some(minor) != running.split('.').nth(1) => continue,
            Some(_) if text.is_empty() => {
                let message =
                    format!("admin-gates configmap gate {gate} must contain a non-empty value.");
                ("AdminAckConfigMapGateValueError", message)
            }
            Some(_) if inside.admin_acks.get(gate).is_some_and(|ack| ack == "true") => continue,
            Some(_) => ("AdminAckRequired", text.clone()),
        };
        by_reason.entry(reason).or_default().push(message);
    }
    for messages in by_reason.values_mut() {
        messages.sort_unstable();
    }
    let mut messages: Vec<String> = by_reason.values().map(|messages| messages.join(" ")).collect();
    messages.sort_unstable();
    let mut reasons = by_reason.keys();
    let reason = match (reasons.next(), reasons.next()) {
        (None, _) => return None,
        (Some(only), None) => only,
        (Some(_), Some(_)) => "MultipleReasons",
    };
    let kind = "UpgradeableAdminAckRequired";
    Some(Condition::new(kind, "False", reason, &messages.join(" ")))
}

/// The minor version in the name of a gate, without the major version, which these operators
/// ignore.
fn minor_of_gate(gate: &str) -> Option<&str> {
    let (minor, what) = gate.strip_prefix("ack-")?.split_once('-')?;
    let digits = minor.strip_prefix("4.").or_else(|| minor.strip_prefix("5."))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !what.is_empty() && !what.starts_with('-')).then_some(digits)
}

fn cluster_operators(inside: &InCluster) -> Option<Condition> {
    let blocking = inside.cluster_operators.iter().filter(|operator| operator.is_blocking());
    let said = blocking.filter_map(|operator| {
        Some((operator.name.as_str(), condition(&operator.conditions, "Upgradeable")?))
    });
    let mut said: Vec<(&str, &Condition)> = said.collect();
    said.sort_by_key(|(name, _)| *name);
    let should_not = |name: &str| {
        format!("Cluster operator {name} should not be upgraded between minor versions")
    };
    let (reason, message) = match said.as_slice() {
        [] => return None,
        [(name, only)] => (only.reason.as_str(), format!("{}: {}", should_not(name), only.message)),
        several => {
            let lines = several.iter().map(|(name, one)| {
                format!("\n* {}: {}: {}", should_not(name), one.reason, one.message)
            });
            let head = "Multiple cluster operators should not be upgraded between minor versions:";
            ("ClusterOperatorsNotUpgradeable", format!("{head}{}", lines.collect::<String>()))
        }
    };
    Some(Condition::new("UpgradeableClusterOperators", "False", reason, &message))
}
