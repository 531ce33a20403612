//! Writes the report as JSON. The format is versioned, and fields are only added. Times are in
//! seconds.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{PoolRun, PoolsReport};
use crate::pools::{Percentiles, Run, RunEnd, What};
use crate::report::json::write_json_line;
use crate::report::rollout::pool_status::of_status;

pub(super) fn write(report: &PoolsReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let pools: Vec<Value> = report.runs.iter().map(|one| pool(report, one)).collect();
    let document = json!({"version": 1, "pools": pools, "paused": report.paused});
    write_json_line(&document, out)
}

fn pool(report: &PoolsReport<'_>, one: &PoolRun<'_>) -> Value {
    let run = &one.run;
    let rollout = run.plan.rollout();
    let moments = report.moments.iter().map(|moment| {
        let mut json = of_status(&run.at(*moment).status());
        json["time"] = json!(moment);
        json
    });
    let (seconds, stuck) = match &run.end {
        RunEnd::Updated(seconds) => (Some(*seconds), None),
        RunEnd::Stuck(stuck) => {
            (None, Some(json!({"since": stuck.since, "why": stuck.explain(run.plan)})))
        }
    };
    json!({
        "pool": rollout.pool,
        "nodes": rollout.members.len(),
        "max_unavailable": run.plan.max(),
        "seconds": seconds,
        "stuck": stuck,
        "percentiles": one.percentiles.map(|percentiles| of_percentiles(percentiles, report.seed)),
        "events": events(run),
        "moments": moments.collect::<Vec<_>>(),
    })
}

fn events(run: &Run<'_>) -> Vec<Value> {
    let events = run.events.iter().map(|event| {
        let what = match event.what {
            What::Back => "back",
            What::Drained => "drained",
            What::Degraded => "degraded",
            What::Cordoned => "cordoned",
        };
        json!({"time": event.time, "node": run.plan.rollout().name(event.node), "event": what})
    });
    events.collect()
}

fn of_percentiles(percentiles: Percentiles, seed: u64) -> Value {
    let Percentiles { runs, stuck, min, p50, p90, p99, max } = percentiles;
    json!({
        "runs": runs, "seed": seed, "stuck": stuck,
        "min": min, "p50": p50, "p90": p90, "p99": p99, "max": max,
    })
}
