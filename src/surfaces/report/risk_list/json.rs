//! The risks of a repository, for programs. The format is versioned, and fields are only added;
//! `schemas/risk-list.json` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::authoring::{RiskInMinor, RiskState};
use crate::domain::time::day;
use crate::graph_data::ReleaseId;
use crate::report::json::write_json;

use super::RiskListReport;

#[derive(Serialize)]
struct RiskListJson<'r> {
    version: u8,
    risks: Vec<RiskJson<'r>>,
}

#[derive(Serialize)]
struct RiskJson<'r> {
    name: &'r str,
    since: Option<String>,
    /// Whether somebody has to decide about a release.
    waits: bool,
    minors: Vec<MinorJson<'r>>,
}

#[derive(Serialize)]
struct MinorJson<'r> {
    minor: String,
    targets: Vec<&'r str>,
    state: &'static str,
    fixed_in: Option<String>,
    /// The releases that need the risk, or a fix before them.
    waiting: Vec<&'r str>,
    /// Whether so many wait that nobody will decide.
    long_past: bool,
}

pub(super) fn write(report: &RiskListReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let risks = report.risks.iter().map(|risk| RiskJson {
        name: risk.name,
        since: risk.since.map(day),
        waits: risk.waits(),
        minors: risk.minors.iter().map(|minor| minor_json(report, minor)).collect(),
    });
    write_json(&RiskListJson { version: 1, risks: risks.collect() }, out)
}

fn minor_json<'r>(report: &'r RiskListReport<'_>, minor: &'r RiskInMinor<'_>) -> MinorJson<'r> {
    let text = |id: &ReleaseId| report.data.releases.get(*id).text.as_str();
    let edges = minor.edges.iter();
    MinorJson {
        minor: minor.minor.to_string(),
        targets: edges.filter_map(|edge| Some(edge.to.as_ref()?.value.as_str())).collect(),
        state: match minor.state {
            RiskState::Fixed(_) => "fixed",
            RiskState::Open => "open",
            RiskState::Waits(_) => "waits",
            RiskState::OnlyPreReleases => "only-pre-releases",
        },
        fixed_in: match &minor.state {
            RiskState::Fixed(version) => Some(version.to_string()),
            _ => None,
        },
        waiting: match &minor.state {
            RiskState::Waits(releases) => releases.iter().map(text).collect(),
            _ => Vec::new(),
        },
        long_past: minor.is_long_past,
    }
}
