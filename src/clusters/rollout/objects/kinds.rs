//! Reads the objects of each kind.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::cluster::object::Condition;
use crate::domain::time::parse_time;
use crate::objects::text_at as text;
use crate::pools::{
    Counts, MachineConfigNode, MaxUnavailable, Node, NodeCondition, Pool, PoolCondition,
};
use crate::rollout::OperatorState;
use crate::text::Failure;

const ANNOTATION: &str = "/metadata/annotations/machineconfiguration.openshift.io~1";

pub(super) fn list<'j>(json: &'j Json, pointer: &str) -> &'j [Json] {
    json.pointer(pointer).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

fn texts(json: &Json, pointer: &str) -> BTreeMap<String, String> {
    let map = json.pointer(pointer).and_then(Json::as_object).into_iter().flatten();
    map.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

pub(super) fn operator(name: &str, object: &Json) -> OperatorState {
    let conditions = list(object, "/status/conditions").iter().map(|one| {
        let [kind, status, reason, message] =
            ["/type", "/status", "/reason", "/message"].map(|pointer| text(one, pointer));
        Condition::new(kind, status, reason, message)
    });
    let versions = list(object, "/status/versions").iter();
    let versions =
        versions.map(|one| (text(one, "/name").to_owned(), text(one, "/version").to_owned()));
    OperatorState {
        name: name.to_owned(),
        conditions: conditions.collect(),
        versions: versions.collect(),
    }
}

pub(super) fn pool(name: &str, object: &Json) -> Result<Pool, Failure> {
    if !list(object, "/spec/nodeSelector/matchExpressions").is_empty() {
        return Err(Failure::new(format!(
            "the pool `{name}` selects nodes by expressions; only `matchLabels` are understood"
        )));
    }
    let max = object.pointer("/spec/maxUnavailable").filter(|max| !max.is_null());
    let max = max.map(|max| match (max.as_i64(), max.as_str()) {
        (Some(number), _) => Ok(MaxUnavailable::Number(number)),
        (None, Some(text)) => Ok(MaxUnavailable::Text(text.to_owned())),
        (None, None) => {
            Err(Failure::new(format!("`maxUnavailable` of the pool `{name}` is {max}")))
        }
    });
    let count = |key: &str| {
        let number = object["status"][key].as_u64().unwrap_or_default();
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let conditions = list(object, "/status/conditions").iter().map(|one| PoolCondition {
        kind: text(one, "/type").to_owned(),
        status: text(one, "/status").to_owned(),
        reason: text(one, "/reason").to_owned(),
        message: text(one, "/message").to_owned(),
    });
    Ok(Pool {
        name: name.to_owned(),
        node_selector: texts(object, "/spec/nodeSelector/matchLabels"),
        paused: object.pointer("/spec/paused").and_then(Json::as_bool).unwrap_or_default(),
        max_unavailable: max.transpose()?,
        target: text(object, "/spec/configuration/name").to_owned(),
        completed: text(object, "/status/configuration/name").to_owned(),
        counts: Counts {
            machines: count("machineCount"),
            ready: count("readyMachineCount"),
            updated: count("updatedMachineCount"),
            unavailable: count("unavailableMachineCount"),
            degraded: count("degradedMachineCount"),
        },
        conditions: conditions.collect(),
    })
}

pub(super) fn node(name: &str, object: &Json) -> Node {
    let said = |key: &str| {
        let value = object.pointer(&format!("{ANNOTATION}{key}")).and_then(Json::as_str);
        value.map(str::to_owned)
    };
    let conditions = list(object, "/status/conditions").iter();
    let conditions =
        conditions.map(|one| (text(one, "/type").to_owned(), text(one, "/status").to_owned()));
    let mut taints = list(object, "/spec/taints").iter();
    Node {
        name: name.to_owned(),
        labels: texts(object, "/metadata/labels"),
        created: parse_time(text(object, "/metadata/creationTimestamp")).map(|time| time / 1000),
        unschedulable: object
            .pointer("/spec/unschedulable")
            .and_then(Json::as_bool)
            .unwrap_or_default(),
        conditions: conditions.collect(),
        has_update_taint: taints.any(|taint| text(taint, "/key") == "UpdateInProgress"),
        current_config: said("currentConfig"),
        desired_config: said("desiredConfig"),
        state: said("state"),
        reason: said("reason"),
        current_image: said("currentImage"),
        desired_image: said("desiredImage"),
        machine_config_node: None,
    }
}

pub(super) fn machine_config_node(object: &Json) -> MachineConfigNode {
    let conditions = list(object, "/status/conditions").iter().map(|one| NodeCondition {
        kind: text(one, "/type").to_owned(),
        status: text(one, "/status").to_owned(),
        message: text(one, "/message").to_owned(),
    });
    let desired = text(object, "/status/configVersion/desired");
    MachineConfigNode {
        conditions: conditions.collect(),
        desired_config: (!desired.is_empty()).then(|| desired.to_owned()),
    }
}
