//! Reads the objects of a cluster.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::super::object::{Alert, Condition};
use super::{ClusterOperator, InCluster};
use crate::objects::text_at;

impl InCluster {
    /// What these objects and alerts show of a cluster.
    pub(crate) fn of_objects(objects: &[Json], alerts: Vec<Alert>) -> Self {
        let of_kind = |kind: &'static str| objects.iter().filter(move |one| one["kind"] == kind);
        let config_map = |namespace: &str, name: &str| {
            let mut maps = of_kind("ConfigMap");
            maps.find(|map| {
                text_at(map, "/metadata/namespace") == namespace
                    && text_at(map, "/metadata/name") == name
            })
        };
        let gates = config_map("openshift-config-managed", "admin-gates");
        let acks = config_map("openshift-config", "admin-acks");
        let cluster_operators: Vec<ClusterOperator> =
            of_kind("ClusterOperator").map(cluster_operator).collect();
        let paused = of_kind("MachineConfigPool")
            .filter(|pool| pool.pointer("/spec/paused").and_then(Json::as_bool) == Some(true));
        let is_given = [!cluster_operators.is_empty(), gates.is_some(), acks.is_some()];
        let names = ["ClusterOperators", "admin-gates", "admin-acks"].into_iter().zip(is_given);
        Self {
            missing: names.filter(|(_, is_given)| !is_given).map(|(name, _)| name).collect(),
            paused_pools: paused.map(|pool| text_at(pool, "/metadata/name").to_owned()).collect(),
            alerts,
            cluster_operators,
            admin_gates: gates.map(data).unwrap_or_default(),
            admin_acks: acks.map(data).unwrap_or_default(),
        }
    }
}

fn cluster_operator(object: &Json) -> ClusterOperator {
    let conditions = object.pointer("/status/conditions").and_then(Json::as_array);
    let condition = |one: &Json| {
        let [kind, status, reason, message] =
            ["/type", "/status", "/reason", "/message"].map(|pointer| text_at(one, pointer));
        Condition::new(kind, status, reason, message)
    };
    ClusterOperator {
        name: text_at(object, "/metadata/name").to_owned(),
        conditions: conditions.into_iter().flatten().map(condition).collect(),
    }
}

fn data(config_map: &Json) -> BTreeMap<String, String> {
    let data = config_map["data"].as_object().into_iter().flatten();
    data.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}
