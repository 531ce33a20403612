//! Writes the report as JSON; `exitpath schema catalog-bridge` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::bridge::{Arrival, Outcome, Stage, Step, Stop, Verdict};
use crate::catalog::openshift_limit::OpenShiftLimit;
use crate::domain::Named;
use crate::report::json::write_json;

use super::words::{limit_in_words, minor, minor_after, stop_in_words};
use super::{BridgeReport, CheckedClusters, ClusterHop, ClusterPath};

#[derive(Serialize)]
pub(super) struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    clusters: Vec<ClustersJson<'a>>,
}

#[derive(Serialize)]
struct ClustersJson<'a> {
    names: &'a [&'a str],
    from: &'a str,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_checked: Option<&'a str>,
    minors: Vec<String>,
    paths: Vec<PathJson<'a>>,
    operators: Vec<OperatorJson<'a>>,
}

#[derive(Serialize)]
struct PathJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    hops: Vec<HopJson<'a>>,
}

#[derive(Serialize)]
struct HopJson<'a> {
    from: &'a str,
    to: &'a str,
    risks: &'a [String],
    held_back_by: Vec<&'a str>,
}

#[derive(Serialize)]
struct OperatorJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
    limit: LimitJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds_back_on: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loses_updates_on: Option<String>,
    channels: Vec<ChannelJson<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum LimitJson {
    None,
    UpTo { minor: String },
    Invalid { why: String },
    Unknown,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct ChannelJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'a str>,
    reached: bool,
    steps: Vec<StepJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<StoppedJson<'a>>,
}

#[derive(Serialize)]
struct StoppedJson<'a> {
    on: String,
    last: &'a str,
    limit: LimitJson,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreached: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_other_channels: Option<Vec<StepJson<'a>>>,
}

#[derive(Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
enum StepJson<'a> {
    SwitchChannel {
        on: String,
        from: &'a str,
        to: &'a str,
    },
    UpdateOperator {
        on: String,
        from: &'a str,
        to: &'a str,
    },
    UpdateCluster {
        on: String,
        to: String,
        with: &'a str,
        next_catalog: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        updated_to: Option<&'a str>,
    },
}

pub(super) fn write(report: &BridgeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_json(&ReportJson::of(report), out)
}

impl<'a> ReportJson<'a> {
    pub(super) fn of(report: &'a BridgeReport<'a>) -> Self {
        Self {
            version: 1,
            policy: report.resolver.name(),
            clusters: report.clusters.iter().map(clusters).collect(),
        }
    }
}

fn clusters<'a>(clusters: &'a CheckedClusters<'a>) -> ClustersJson<'a> {
    let stages = clusters.stages.as_deref().unwrap_or_default();
    ClustersJson {
        names: &clusters.names,
        from: &clusters.from,
        to: &clusters.to,
        not_checked: clusters.stages.as_ref().err().map(|why| why.words().0),
        minors: stages.iter().map(|stage| stage.minor.to_string()).collect(),
        paths: clusters.paths.iter().map(|one| path(clusters, one)).collect(),
        operators: clusters.verdicts.iter().map(|verdict| operator(verdict, stages)).collect(),
    }
}

fn path<'a>(clusters: &'a CheckedClusters<'a>, path: &'a ClusterPath) -> PathJson<'a> {
    let hop = |hop: &'a ClusterHop| HopJson {
        from: &hop.from,
        to: &hop.to,
        risks: &hop.risks,
        held_back_by: hop.leaves.map(|stage| clusters.held_by(stage)).unwrap_or_default(),
    };
    PathJson { kind: path.kind.map(Named::name), hops: path.hops.iter().map(hop).collect() }
}

fn operator<'a>(verdict: &'a Verdict<'a>, stages: &[Stage<'a>]) -> OperatorJson<'a> {
    let outcomes = verdict.outcomes.iter();
    OperatorJson {
        name: &verdict.installed.name,
        namespace: verdict.installed.namespace.as_deref(),
        package: verdict.package,
        limit: LimitJson::of(verdict.limit),
        holds_back_on: verdict.held_at.map(|stage| minor(stages, stage)),
        loses_updates_on: verdict.lost().map(|lost| minor_after(stages, lost.stage)),
        channels: outcomes.map(|(name, outcome)| channel(*name, outcome, stages)).collect(),
    }
}

fn channel<'a>(
    channel: Option<&'a str>,
    outcome: &'a Outcome<'a>,
    stages: &[Stage<'a>],
) -> ChannelJson<'a> {
    let (steps, stop) = match outcome {
        Outcome::Reached(steps) => (steps, None),
        Outcome::Stopped(stop) => (&stop.steps, Some(stop)),
    };
    ChannelJson {
        channel,
        reached: stop.is_none(),
        steps: written(steps, stages),
        stopped: stop.map(|stop| stopped(stop, stages)),
    }
}

fn stopped<'a>(stop: &'a Stop<'a>, stages: &[Stage<'a>]) -> StoppedJson<'a> {
    StoppedJson {
        on: minor(stages, stop.stage),
        last: stop.last,
        limit: LimitJson::of(stop.limit),
        why: stop_in_words(stop, stages),
        unreached: stop.unreached,
        with_other_channels: stop.with_switch.as_ref().map(|steps| written(steps, stages)),
    }
}

fn written<'a>(steps: &'a [Step<'a>], stages: &[Stage<'a>]) -> Vec<StepJson<'a>> {
    let step = |step: &'a Step<'a>| match step {
        Step::Switch { stage, from, to } => {
            StepJson::SwitchChannel { on: minor(stages, *stage), from, to }
        }
        Step::Update { stage, from, to } => {
            StepJson::UpdateOperator { on: minor(stages, *stage), from, to }
        }
        Step::Cluster { stage, with, arrival } => StepJson::UpdateCluster {
            on: minor(stages, *stage),
            to: minor_after(stages, *stage),
            with,
            next_catalog: match arrival {
                Arrival::NoCatalog => "unknown",
                Arrival::NoPackage => "no-package",
                Arrival::NoChannel => "no-channel",
                Arrival::Entry => "entry",
                Arrival::UpdatedTo(_) => "updated",
                Arrival::NoUpdate => "no-update",
            },
            updated_to: match arrival {
                Arrival::UpdatedTo(next) => Some(next),
                _ => None,
            },
        },
    };
    steps.iter().map(step).collect()
}

impl LimitJson {
    fn of(limit: Option<&OpenShiftLimit>) -> Self {
        match limit {
            None => Self::Unknown,
            Some(OpenShiftLimit::Absent) => Self::None,
            Some(OpenShiftLimit::UpTo(last)) => Self::UpTo { minor: last.to_string() },
            Some(OpenShiftLimit::Invalid(_)) => Self::Invalid { why: limit_in_words(limit) },
        }
    }
}
