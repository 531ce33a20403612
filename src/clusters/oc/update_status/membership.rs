//! Which pool a node is in, according to `oc`, which handles neither arbiters nor nodes of two
//! custom pools.

use serde_json::Value as Json;

use super::objects::{list, name};
use crate::objects::text_at;

/// The name of the pool of a node: the control plane, or else a custom pool, or else the workers.
pub(super) fn pool_of<'a>(pools: &[&'a Json], node: &Json) -> Option<&'a str> {
    let selecting: Vec<&str> =
        pools.iter().filter(|pool| selects(pool, node)).map(|pool| name(pool)).collect();
    let rank = |name: &&str| match *name {
        "master" => 0,
        "worker" => 2,
        _ => 1,
    };
    selecting.into_iter().min_by_key(rank)
}

/// Whether a pool selects a node. A missing selector selects nothing, and an empty one everything.
fn selects(pool: &Json, node: &Json) -> bool {
    let selector = &pool["spec"]["nodeSelector"];
    let labels = &node["metadata"]["labels"];
    let mut wanted = selector["matchLabels"].as_object().into_iter().flatten();
    selector.is_object()
        && wanted.all(|(key, value)| labels[key.as_str()] == *value)
        && list(selector, "/matchExpressions").iter().all(|one| holds(one, labels))
}

fn holds(expression: &Json, labels: &Json) -> bool {
    let label = &labels[text_at(expression, "/key")];
    let is_listed = || list(expression, "/values").contains(label);
    match text_at(expression, "/operator") {
        "In" => !label.is_null() && is_listed(),
        "NotIn" => label.is_null() || !is_listed(),
        "Exists" => !label.is_null(),
        "DoesNotExist" => label.is_null(),
        _ => false,
    }
}
