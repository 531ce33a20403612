//! A fleet for programs. The format is versioned, and fields are only added; `schemas/fleet.json`
//! describes it.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Named;
use crate::fleet::{ClassOutlook, GoalAnswer, Platform};
use crate::report::BridgeReport;
use crate::report::json::write_json_line;
use crate::telemetry::StoreGaps;

use super::mirror::json::{MirrorAnswerJson, MirrorJson};
use super::{FleetReport, ReleaseGroup};

#[derive(Serialize)]
struct FleetJson<'r, O: Serialize> {
    version: u32,
    source: &'r str,
    clusters: u64,
    without_update: u64,
    cannot_tell: u64,
    not_in_channel: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    losing: Option<u64>,
    kinds: Vec<KindJson<'r>>,
    risks: Vec<RiskJson<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    losses: Vec<LossJson<'r>>,
    differences: Vec<DifferenceJson<'r>>,
    all_differences: u64,
    refusing: Vec<RefusingJson<'r>>,
    all_refusing: u64,
    not_counted: Vec<FaultJson<'r>>,
    all_not_counted: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<StoreJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mirror: Option<MirrorJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operators: Option<O>,
}

/// What a telemetry store does not say.
#[derive(Serialize)]
struct StoreJson<'r> {
    missing: Vec<String>,
    not_asked: Vec<NotAskedJson<'r>>,
    no_series: Vec<NoSeriesJson<'r>>,
    without_channel: u64,
}

#[derive(Serialize)]
struct NotAskedJson<'r> {
    risk: &'r str,
    reason: &'r str,
}

/// A metric of which the store has no series.
#[derive(Serialize)]
struct NoSeriesJson<'r> {
    metric: &'r str,
    risks: &'r BTreeSet<String>,
}

/// Clusters of which the same is known.
#[derive(Serialize)]
struct KindJson<'r> {
    release: &'r str,
    channel: &'r str,
    arch: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
    clusters: u64,
    #[serde(flatten)]
    now: OutlookJson<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<OutlookJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mirror: Option<MirrorAnswerJson<'r>>,
}

#[derive(Serialize)]
struct OutlookJson<'r> {
    in_channel: bool,
    recommended: usize,
    not_recommended: usize,
    cannot_tell: bool,
    stranded: Vec<&'static str>,
    because_of: Vec<BecauseJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<GoalJson<'r>>,
}

/// How clusters get to the goal.
#[derive(Serialize)]
struct GoalJson<'r> {
    state: &'static str,
    /// The releases on the path, in order.
    through: &'r [String],
    channels: &'r [String],
    accept: &'r [String],
    cannot_tell: &'r [String],
    /// Whether it is known that no other path has fewer risks.
    #[serde(skip_serializing_if = "Option::is_none")]
    fewest: Option<bool>,
}

#[derive(Serialize)]
struct BecauseJson<'r> {
    risk: &'r str,
    cannot_tell: bool,
}

#[derive(Serialize)]
struct RiskJson<'r> {
    risk: &'r str,
    cannot_tell: bool,
    clusters: u64,
}

#[derive(Serialize)]
struct LossJson<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'r str>,
    release: &'r str,
    channel: &'r str,
    last_update: bool,
    goal: bool,
    paths: Vec<&'static str>,
}

#[derive(Serialize)]
struct DifferenceJson<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'r str>,
    release: &'r str,
    channel: &'r str,
    said: u64,
    recommended: usize,
}

/// A cluster that refuses updates to another minor version, although its path has some.
#[derive(Serialize)]
struct RefusingJson<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'r str>,
    release: &'r str,
    channel: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'r str>,
}

#[derive(Serialize)]
struct FaultJson<'r> {
    file: &'r str,
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<&'r str>,
    message: &'r str,
}

pub(super) fn write(report: &FleetReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let fleet = report.fleet;
    let whole = report.whole();
    let ReleaseGroup { clusters, without, cannot_tell, unknown_release, losing, risks, .. } =
        &whole;
    let losses = fleet.losses.iter().map(|loss| {
        let counted = &fleet.classes[loss.class];
        LossJson {
            name: loss.name.as_deref(),
            release: &counted.class.version,
            channel: &counted.class.channel,
            last_update: counted.loses_updates(),
            goal: counted.loses_goal(),
            paths: counted.lost_paths().into_iter().map(Named::name).collect(),
        }
    });
    let differences = fleet.differences.iter().map(|difference| {
        let counted = &fleet.classes[difference.class];
        DifferenceJson {
            name: difference.name.as_deref(),
            release: &counted.class.version,
            channel: &counted.class.channel,
            said: difference.said,
            recommended: counted.outlook.available,
        }
    });
    let (refusals, all_refusing) = report.refusals();
    let refusing = refusals.iter().map(|refusing| {
        let class = &fleet.classes[refusing.class].class;
        let (release, channel) = (&class.version, &class.channel);
        let why = refusing.refusal.why.as_deref();
        RefusingJson { name: refusing.name.as_deref(), release, channel, why }
    });
    let faults = fleet.faults.iter().map(|fault| FaultJson {
        file: &fault.file,
        line: fault.line,
        column: fault.column.as_deref(),
        message: &fault.why,
    });
    let document = FleetJson {
        version: 1,
        source: &report.source,
        clusters: *clusters,
        without_update: *without,
        cannot_tell: *cannot_tell,
        not_in_channel: *unknown_release,
        losing: fleet.is_compared().then_some(*losing),
        kinds: (0..fleet.classes.len()).map(|class| kind(report, class)).collect(),
        risks: risks
            .iter()
            .map(|(risk, clusters)| RiskJson {
                risk: &risk.name,
                cannot_tell: risk.is_unknown,
                clusters: *clusters,
            })
            .collect(),
        losses: losses.collect(),
        differences: differences.collect(),
        all_differences: fleet.all_differences,
        refusing: refusing.collect(),
        all_refusing,
        not_counted: faults.collect(),
        all_not_counted: fleet.all_faults,
        store: report.gaps.map(store),
        mirror: report.mirror.as_ref().map(MirrorJson::of),
        operators: report.operators.as_ref().map(BridgeReport::as_json),
    };
    write_json_line(&document, out)
}

fn store(gaps: &StoreGaps) -> StoreJson<'_> {
    let StoreGaps { not_asked, no_series, without_channel, .. } = gaps;
    let not_asked = not_asked.iter().map(|(risk, reason)| NotAskedJson { risk, reason });
    let no_series = no_series.iter().map(|(metric, risks)| NoSeriesJson { metric, risks });
    StoreJson {
        missing: gaps.missing(),
        not_asked: not_asked.collect(),
        no_series: no_series.collect(),
        without_channel: *without_channel,
    }
}

fn kind<'r>(report: &'r FleetReport<'_>, class: usize) -> KindJson<'r> {
    let counted = &report.fleet.classes[class];
    let mirror = report.mirror.as_ref().and_then(|mirror| mirror.outlook.answers.get(class));
    KindJson {
        release: &counted.class.version,
        channel: &counted.class.channel,
        arch: counted.class.arch.name(),
        platform: counted.class.facts.platform.map(Platform::name),
        clusters: counted.clusters,
        now: outlook(&counted.outlook),
        before: counted.before.as_ref().map(outlook),
        mirror: mirror.map(MirrorAnswerJson::of),
    }
}

fn outlook(outlook: &ClassOutlook) -> OutlookJson<'_> {
    let because_of = outlook.risks.iter();
    let goal = outlook.goal.as_ref().map(|answer| match answer {
        GoalAnswer::Path(path) => GoalJson {
            state: answer.word(),
            through: &path.through,
            channels: &path.channels,
            accept: &path.accept,
            cannot_tell: &path.cannot_tell,
            fewest: Some(path.has_fewest_risks),
        },
        _ => GoalJson {
            state: answer.word(),
            through: &[],
            channels: &[],
            accept: &[],
            cannot_tell: &[],
            fewest: None,
        },
    });
    OutlookJson {
        in_channel: outlook.is_in_channel,
        recommended: outlook.available,
        not_recommended: outlook.held,
        cannot_tell: outlook.cannot_tell,
        stranded: outlook.stranded.iter().copied().map(Named::name).collect(),
        because_of: because_of
            .map(|risk| BecauseJson { risk: &risk.name, cannot_tell: risk.is_unknown })
            .collect(),
        goal,
    }
}
