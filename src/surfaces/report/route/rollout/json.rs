//! Writes the report as JSON. Times are in seconds from the start of the first update.

use serde_json::{Value, json};

use crate::rollout::{HopTimes, Many, Timeline};

pub(in crate::surfaces::report::route) fn json(timeline: &Timeline) -> Value {
    let many = timeline.many.map(|many| {
        let Many { runs, seed, p50, p90, p99 } = many;
        json!({"runs": runs, "seed": seed, "p50": p50, "p90": p90, "p99": p99})
    });
    json!({
        "seconds": timeline.end(),
        "paused_workers": timeline.journey.is_paused,
        "reboots": {
            "control_plane": timeline.reboots.control_plane,
            "workers": timeline.reboots.workers,
        },
        "percentiles": many,
        "hops": timeline.hops.iter().map(of_hop).collect::<Vec<_>>(),
    })
}

fn of_hop(times: &HopTimes) -> Value {
    let HopTimes { start, applied, control_plane, workers } = times;
    json!({
        "start": start,
        "manifests_applied": applied,
        "control_plane_updated": control_plane,
        "workers": workers.map(|(begin, end)| json!({"start": begin, "end": end})),
    })
}
