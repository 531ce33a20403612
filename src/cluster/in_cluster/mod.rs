//! Risks that the operator finds in its own cluster, and not in the update service's answer.

mod alerts;
mod merge;
mod upgradeable;

pub(super) use merge::{Targets, merge};
pub(super) use upgradeable::{Blockers, condition};

use std::collections::BTreeMap;

use super::object::{Alert, Condition, ObjectRisk, ObjectRule};

/// What the operator sees in its cluster, apart from the object `ClusterVersion`.
#[derive(Clone, Debug, Default)]
pub struct InCluster {
    /// The alerts of Prometheus.
    pub alerts: Vec<Alert>,
    /// The operators of the cluster's parts.
    pub cluster_operators: Vec<ClusterOperator>,
    /// The data of the config map `admin-gates`.
    pub admin_gates: BTreeMap<String, String>,
    /// The data of the config map `admin-acks`.
    pub admin_acks: BTreeMap<String, String>,
}

/// An operator of a part of the cluster.
#[derive(Clone, Debug, Default)]
pub struct ClusterOperator {
    /// Its name.
    pub name: String,
    /// Its conditions. Only `Upgradeable` matters here.
    pub conditions: Vec<Condition>,
}

/// A risk that the operator found, and the targets that it affects.
#[derive(Clone, Debug)]
struct FoundRisk {
    risk: ObjectRisk,
    /// Whether it affects patch updates, too.
    affects_patches: bool,
}

/// A risk that affects the cluster.
fn risk(name: String, message: String, url: String) -> ObjectRisk {
    let rule = ObjectRule { kind: "Always".into(), promql: None };
    ObjectRisk { name, message, url, matching_rules: vec![rule], conditions: Vec::new() }
}
