//! The status of a pool, for programs.

use serde_json::{Value, json};

use crate::pools::{Counts, Status};

/// The status as `oc get mcp` shows it.
pub(super) fn of_status(status: &Status) -> Value {
    let Counts { machines, ready, updated, unavailable, degraded } = status.counts;
    let is = |kind: &str| {
        let condition = status.conditions.iter().find(|condition| condition.kind == kind);
        condition.map(|condition| condition.status.as_str())
    };
    json!({
        "config": status.completed,
        "updated": is("Updated"),
        "updating": is("Updating"),
        "degraded": is("Degraded"),
        "machine_count": machines,
        "ready_machine_count": ready,
        "updated_machine_count": updated,
        "unavailable_machine_count": unavailable,
        "degraded_machine_count": degraded,
    })
}
