//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::analysis::{Gaps, Route};
use crate::domain::Named;
use crate::report::json::write_json_line;

use super::{RouteReport, Waiting, rollout};

pub(super) fn write(report: &RouteReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let routes: Vec<Value> = report.routes.found.iter().map(|found| route(report, found)).collect();
    let mut document = json!({
        "version": 1,
        "not_loaded": report.not_loaded,
        "from": report.from,
        "to": report.to,
        "asked_for": report.wanted.map(|wanted| wanted.asked_for),
        "newest": report.wanted.map(|wanted| wanted.newest),
        "needs_candidates": report.needs_candidates,
        "accepted": report.accepted,
        "paths": routes,
        "paths_incomplete": report.routes.is_incomplete,
        "unblocked_by": report.risks(&report.routes.unblocked_by),
        "unblocked_by_files": report.blocks(),
    });
    if let Some(Waiting { minor, gaps }) = report.waiting {
        let gaps = gaps.map(|gaps| {
            let Gaps { least, median, most, releases } = gaps;
            json!({"least": least, "median": median, "most": most, "releases": releases})
        });
        document["waiting"] = json!({"minor": minor.to_string(), "days": gaps});
    }
    if let Some(timeline) = report.timeline {
        document["rollout"] = rollout::json(timeline);
    }
    write_json_line(&document, out)
}

fn route(report: &RouteReport<'_>, route: &Route) -> Value {
    let channels = report.channels(route);
    let hops = route.hops.iter().zip(channels).map(|(hop, channel)| {
        let (from, to) = report.ends(hop);
        json!({
            "from": from,
            "to": to,
            "channel": channel,
            "risks": report.risks(&hop.closed_by),
        })
    });
    json!({"kind": route.kind.name(), "hops": hops.collect::<Vec<_>>()})
}
