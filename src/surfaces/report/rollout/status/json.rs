//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{StatusReport, why};
use crate::cluster::object::Condition;
use crate::payload::Mode;
use crate::report::json::write_json_line;
use crate::report::rollout::pool_status::of_status;
use crate::rollout::{CellState, Doing, Held, Hold, PoolView, Progress, disputed};

pub(super) fn write(report: &StatusReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let status = &report.status;
    let mode = match status.mode {
        Mode::Initializing => "initializing",
        Mode::Updating => "updating",
        Mode::Reconciling => "reconciling",
    };
    let waiting: Vec<Value> = status.holds.iter().map(|held| of_held(report, held)).collect();
    let disputed: Vec<Value> = disputed(report.objects)
        .iter()
        .map(|(node, pools)| {
            let pools: Vec<&str> = pools.iter().map(|pool| pool.name.as_str()).collect();
            json!({"node": node.name, "pools": pools})
        })
        .collect();
    let said = report.objects.cluster_version.iter();
    let said = said.flat_map(|object| &object.status.conditions).map(of_condition);
    let document = json!({
        "version": 1,
        "mode": mode,
        "release": status.version,
        "warning": status.warning,
        "missing": report.objects.missing(),
        "cluster_version": said.collect::<Vec<_>>(),
        "waits_for": waiting,
        "payload": status.progress.as_ref().map(of_progress),
        "pools": report.pools.iter().map(of_pool).collect::<Vec<_>>(),
        "nodes_of_two_pools": disputed,
    });
    write_json_line(&document, out)
}

fn of_held(report: &StatusReport<'_>, held: &Held) -> Value {
    let kind = match held.hold {
        Hold::NoVersions => "no-versions",
        Hold::Missing => "missing",
        Hold::NotAvailable => "not-available",
        Hold::Degraded => "degraded",
        Hold::OldVersions(_) => "versions-not-reached",
    };
    json!({
        "cluster_operator": held.operator,
        "level": report.level(held),
        "why": kind,
        "message": why(&held.hold),
        "says": held.said.as_ref().map(of_condition),
    })
}

fn of_condition(one: &Condition) -> Value {
    json!({"type": one.kind, "status": one.status, "reason": one.reason, "message": one.message})
}

fn of_progress(progress: &Progress<'_>) -> Value {
    let cells = progress.cells.iter().map(|(cell, state)| {
        let state = match state {
            CellState::Done => "done",
            CellState::Held => "held",
            CellState::Waiting => "waiting",
        };
        json!({
            "step": cell.step,
            "level": cell.slot.map(|slot| slot.level),
            "component": cell.slot.map(|slot| slot.component),
            "state": state,
        })
    });
    let conditions = progress.conditions.iter().map(of_condition);
    json!({
        "manifests": progress.payload.manifests.len(),
        "done": progress.done,
        "components": cells.collect::<Vec<_>>(),
        "conditions": conditions.collect::<Vec<_>>(),
        "other_cluster_operators": progress.others,
    })
}

fn of_pool(view: &PoolView<'_>) -> Value {
    let mut json = of_status(&view.status);
    json["pool"] = json!(view.pool.name);
    json["paused"] = json!(view.pool.paused);
    json["holds_the_update"] = json!(view.hold().is_some());
    let Some(nodes) = &view.nodes else { return json };
    let busy = nodes.busy.iter().map(|(node, doing)| {
        let doing = match doing {
            Doing::Updates => "updates",
            Doing::UpdatesToOlder => "updates-to-another-config",
            Doing::Unknown => "not-told",
            Doing::Fails => "fails",
            Doing::Cordoned => "cordoned",
            Doing::NotReady => "not-ready",
        };
        json!({"node": node.name, "doing": doing, "reason": node.reason})
    });
    json["busy"] = busy.collect();
    json["next"] = json!(nodes.next);
    match &nodes.max {
        Ok(max) => json["max_unavailable"] = json!(max),
        Err(error) => json["error"] = json!(error.words()),
    }
    json
}
