//! Risks that the operator finds in its own cluster, and not in the update service's answer.

mod alerts;
mod merge;
mod read;
mod upgradeable;
mod upgradeable_conditions;

pub(super) use merge::{Targets, merge};
pub(super) use upgradeable::{Blockers, conditions};

use std::collections::BTreeMap;

use super::object::{Alert, ClusterVersion, Condition, ObjectRisk, ObjectRule, condition};

/// What the operator sees in its cluster besides the object `ClusterVersion`.
#[derive(Clone, Debug, Default)]
pub struct InCluster {
    /// The alerts of Prometheus.
    pub alerts: Vec<Alert>,
    /// The ClusterOperators.
    pub cluster_operators: Vec<ClusterOperator>,
    /// The data of the config map `admin-gates`.
    pub admin_gates: BTreeMap<String, String>,
    /// The data of the config map `admin-acks`.
    pub admin_acks: BTreeMap<String, String>,
    /// Which of the previous three are unknown. If any is, the existing condition `Upgradeable` of
    /// the object counts, if it has one.
    pub missing: Vec<&'static str>,
    /// The names of the node pools that are paused.
    pub paused_pools: Vec<String>,
}

impl InCluster {
    /// The names of the ClusterOperators that block updates to other minor versions.
    pub(crate) fn blocking_operators(&self) -> Vec<&str> {
        let blocking = self.cluster_operators.iter().filter(|one| one.is_blocking());
        blocking.map(|operator| operator.name.as_str()).collect()
    }
}

/// A ClusterOperator.
#[derive(Clone, Debug, Default)]
pub struct ClusterOperator {
    /// Its name.
    pub name: String,
    /// Its conditions. Only `Upgradeable` matters here.
    pub conditions: Vec<Condition>,
}

impl ClusterOperator {
    /// Whether it blocks updates to other minor versions.
    fn is_blocking(&self) -> bool {
        condition(&self.conditions, "Upgradeable").is_some_and(|one| one.status == "False")
    }
}

/// Whether the operator was told not to manage some object.
pub(super) fn is_overridden(cluster: &ClusterVersion) -> bool {
    cluster.spec.overrides.iter().any(|one| one.unmanaged)
}

/// A risk that the operator found, and the targets that it affects.
#[derive(Clone, Debug)]
struct FoundRisk {
    risk: ObjectRisk,
    /// Whether it also affects patch updates.
    affects_patches: bool,
}

/// A risk that affects the cluster in any case.
fn risk(name: String, message: String, url: String) -> ObjectRisk {
    let rule = ObjectRule { kind: "Always".into(), promql: None };
    ObjectRisk { name, message, url, matching_rules: vec![rule], conditions: Vec::new() }
}
