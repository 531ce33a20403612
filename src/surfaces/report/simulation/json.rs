//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{
    Cause, DropReason, DroppedUpdate, Goal, MemberId, NearExit, RankedRisk, RiskNameId,
    SimulatedChannel,
};
use crate::domain::Named;
use crate::graph::ReasonId;
use crate::report::json::write_json_line;

use super::nearest_exits::NearestExits;
use super::{NotStranded, SimulationReport, dropped};

#[derive(Serialize)]
struct SimulationJson<'a> {
    version: u32,
    releases: ReleasesJson<'a>,
    not_loaded: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    accepted: &'a [String],
    channels: Vec<ChannelJson<'a>>,
}

#[derive(Serialize)]
struct ReleasesJson<'a> {
    source: &'a str,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<&'a str>,
    uncertain: usize,
}

#[derive(Serialize)]
struct ChannelJson<'a> {
    #[serde(rename = "channel")]
    name: &'a str,
    arches: Vec<&'static str>,
    nodes: usize,
    edges: usize,
    conditional_edges: usize,
    checked: usize,
    goals: Vec<&'static str>,
    stranded: Vec<StrandedJson<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stranding_sets_incomplete: bool,
    fixes: Vec<FixJson<'a>>,
    duplicates: Vec<DroppedUpdateJson<'a>>,
    dropped: Vec<DroppedUpdateJson<'a>>,
}

/// What removing one risk alone would do.
#[derive(Serialize)]
struct FixJson<'a> {
    risk: &'a str,
    releases: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<u64>,
    sets: usize,
    all_sets: usize,
}

#[derive(Serialize)]
struct StrandedJson<'a> {
    version: &'a str,
    goal: &'static str,
    cause: &'static str,
    certain: bool,
    all_clusters: bool,
    risks: Vec<&'a str>,
    stranding_sets: Vec<Vec<&'a str>>,
    always_sets: Vec<Vec<&'a str>>,
    contradictory_sets: Vec<Vec<&'a str>>,
    unblocked_by: Vec<&'a str>,
    not_stranded_in: Vec<&'a str>,
    exits: Vec<ExitJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest_exits: Option<Vec<NearestExitJson<'a>>>,
}

#[derive(Serialize)]
struct ExitJson<'a> {
    to: &'a str,
    risks: Vec<&'a str>,
}

#[derive(Serialize)]
struct NearestExitJson<'a> {
    from: &'a str,
    to: &'a str,
    risks: Vec<&'a str>,
    declared_in: Vec<String>,
}

#[derive(Serialize)]
struct DroppedUpdateJson<'a> {
    from: &'a str,
    to: &'a str,
    kind: &'static str,
}

/// The most exits for each release.
const MOST_EXITS: usize = 5;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut lookups = Lookups {
        nearest: NearestExits::of(report.simulation),
        not_stranded: report.simulation.not_stranded(),
    };
    let channels = report.simulation.channels.iter();
    let channels = channels.map(|found| channel(report, found, &mut lookups));
    let releases = ReleasesJson {
        source: &report.provenance.source,
        notes: &report.provenance.notes,
        as_of: report.provenance.as_of.as_deref(),
        uncertain: report.uncertain,
    };
    let accepted = &report.simulation.affecting.accepted;
    let document = SimulationJson {
        version: 1,
        releases,
        not_loaded: report.not_loaded,
        accepted,
        channels: channels.collect(),
    };
    write_json_line(&document, out)
}

/// Searches whose results all channels share.
struct Lookups<'a> {
    nearest: NearestExits<'a>,
    not_stranded: NotStranded<'a>,
}

fn channel<'a>(
    report: &'a SimulationReport<'_>,
    found: &'a SimulatedChannel,
    lookups: &mut Lookups<'a>,
) -> ChannelJson<'a> {
    let is_minor = |goal: &Goal| *goal == Goal::Minor;
    let goals = report.simulation.goals.iter().copied();
    let goals = goals.filter(|goal| found.targets.minor.is_some() || !is_minor(goal));
    let (both, others): (Vec<&DroppedUpdate>, Vec<&DroppedUpdate>) =
        found.dropped.iter().partition(|update| update.how == DropReason::AlsoOpen);
    let (twice, dropped): (Vec<&DroppedUpdate>, Vec<&DroppedUpdate>) =
        others.into_iter().partition(|update| update.how == DropReason::Twice);
    ChannelJson {
        name: report.simulation.name(found.channel),
        arches: found.architectures.iter().map(Named::name).collect(),
        nodes: found.graph.members.len(),
        edges: found.open,
        conditional_edges: found.conditional,
        checked: found.checked(),
        goals: goals.map(Named::name).collect(),
        stranded: stranded(report, found, lookups),
        stranding_sets_incomplete: found.is_incomplete,
        fixes: report.fixes(found).iter().map(|fix| FixJson::of(report, fix)).collect(),
        duplicates: both.into_iter().chain(twice).map(DroppedUpdateJson::of).collect(),
        dropped: dropped.into_iter().map(DroppedUpdateJson::of).collect(),
    }
}

fn stranded<'a>(
    report: &'a SimulationReport<'_>,
    channel: &'a SimulatedChannel,
    lookups: &mut Lookups<'a>,
) -> Vec<StrandedJson<'a>> {
    let version = |at: MemberId| channel.graph.version(at);
    let entries = channel.stranded.iter().map(|one| {
        let marked = |is_marked: &dyn Fn(&[RiskNameId]) -> bool| {
            let sets = one.sets.iter().filter(|set| !set.is_empty() && is_marked(set));
            sets.map(|set| report.names(set)).collect()
        };
        let exits = one.exits.iter().take(MOST_EXITS);
        let nearest = |exit: NearExit| NearestExitJson {
            from: version(exit.from),
            to: version(exit.to),
            risks: risks(report, exit.reason),
            declared_in: report.declared_in(exit.reason),
        };
        let near = lookups.nearest.of_release(channel, one);
        StrandedJson {
            version: version(one.release),
            goal: one.goal.name(),
            cause: if one.cause == Cause::Graph { "graph" } else { "risks" },
            certain: one.is_certain,
            all_clusters: one.is_for_all,
            risks: report.names(&one.risks),
            unblocked_by: report.names(&one.unblocked_by),
            not_stranded_in: report.not_stranded_in(&lookups.not_stranded, channel, one),
            stranding_sets: one.sets.iter().map(|set| report.names(set)).collect(),
            always_sets: marked(&|set| report.is_always(set)),
            contradictory_sets: marked(&|set| report.simulation.contradictions.of(set).is_some()),
            exits: exits
                .map(|exit| ExitJson { to: version(exit.to), risks: report.names(&exit.risks) })
                .collect(),
            nearest_exits: near.map(|near| near.into_iter().map(nearest).collect()),
        }
    });
    entries.collect()
}

fn risks<'a>(report: &'a SimulationReport<'_>, reason: ReasonId) -> Vec<&'a str> {
    let graph = report.simulation.graph;
    graph.risk_names(&graph.reasons[reason].state)
}

impl<'a> FixJson<'a> {
    fn of(report: &'a SimulationReport<'_>, fix: &RankedRisk) -> Self {
        let RankedRisk { risk, releases, clusters, sets, all_sets } = *fix;
        Self { risk: report.simulation.names.name(risk), releases, clusters, sets, all_sets }
    }
}

impl<'a> DroppedUpdateJson<'a> {
    fn of(update: &'a DroppedUpdate) -> Self {
        Self { from: &update.from, to: &update.to, kind: dropped::kind(&update.how) }
    }
}
