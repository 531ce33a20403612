//! For programs: versioned, and only ever added to.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{
    Cause, DropReason, DroppedUpdate, Goal, MemberId, NearExit, RankedRisk, RiskNameId,
    SimulatedChannel,
};
use crate::domain::Named;
use crate::graph::ReasonId;

use super::nearest_exits::Nearest;
use super::{Elsewhere, SimulationReport, dropped};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    releases: Releases<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    accepted: &'a [String],
    channels: Vec<Channel<'a>>,
}

#[derive(Serialize)]
struct Releases<'a> {
    source: &'a str,
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<&'a str>,
    uncertain: usize,
}

#[derive(Serialize)]
struct Channel<'a> {
    #[serde(rename = "channel")]
    name: &'a str,
    arches: Vec<&'static str>,
    nodes: usize,
    edges: usize,
    conditional_edges: usize,
    judged: usize,
    goals: Vec<&'static str>,
    stranded: Vec<Stranded<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stranding_sets_cut: bool,
    fixes: Vec<Remedy<'a>>,
    duplicates: Vec<Duplicate<'a>>,
    dropped: Vec<Duplicate<'a>>,
}

/// What removing one risk alone would do.
#[derive(Serialize)]
struct Remedy<'a> {
    risk: &'a str,
    releases: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<u64>,
    sets: usize,
    all_sets: usize,
}

#[derive(Serialize)]
struct Stranded<'a> {
    version: &'a str,
    goal: &'static str,
    cause: &'static str,
    certain: bool,
    all_clusters: bool,
    risks: Vec<&'a str>,
    stranding_sets: Vec<Vec<&'a str>>,
    always_sets: Vec<Vec<&'a str>>,
    contradictory_sets: Vec<Vec<&'a str>>,
    #[serde(rename = "freed_by")]
    unblocked_by: Vec<&'a str>,
    ways_out: Vec<&'a str>,
    exits: Vec<Exit<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest_exits: Option<Vec<NearestExit<'a>>>,
}

#[derive(Serialize)]
struct Exit<'a> {
    to: &'a str,
    risks: Vec<&'a str>,
}

#[derive(Serialize)]
struct NearestExit<'a> {
    from: &'a str,
    to: &'a str,
    risks: Vec<&'a str>,
    declared_in: Vec<String>,
}

#[derive(Serialize)]
struct Duplicate<'a> {
    from: &'a str,
    to: &'a str,
    kind: &'static str,
}

/// So many closed updates of a release are told.
const EXITS: usize = 5;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let elsewhere = report.simulation.not_stranded();
    let nearest = Nearest::of(report.simulation);
    let mut looked_for = LookedFor { nearest, elsewhere: &elsewhere };
    let channels = report.simulation.channels.iter();
    let channels = channels.map(|found| channel(report, found, &mut looked_for));
    let releases = Releases {
        source: &report.provenance.source,
        note: report.provenance.notes.join("; "),
        as_of: report.provenance.as_of.as_deref(),
        uncertain: report.uncertain,
    };
    let accepted = &report.simulation.removal.accepted;
    let document = Document { version: 1, releases, accepted, channels: channels.collect() };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

/// What is looked for in all channels.
struct LookedFor<'a, 'e> {
    nearest: Nearest<'a>,
    elsewhere: &'e Elsewhere<'a>,
}

fn channel<'a>(
    report: &'a SimulationReport<'_>,
    found: &'a SimulatedChannel,
    looked_for: &mut LookedFor<'a, '_>,
) -> Channel<'a> {
    let is_minor = |goal: &Goal| *goal == Goal::Minor;
    let goals =
        Goal::ALL.iter().copied().filter(|goal| found.targets.minor.is_some() || !is_minor(goal));
    let duplicates = found.dropped.iter().filter(|misread| misread.how != DropReason::AlsoOpen);
    let (twice, dropped): (Vec<&DroppedUpdate>, Vec<&DroppedUpdate>) =
        duplicates.partition(|misread| misread.how == DropReason::Twice);
    let both = found.dropped.iter().filter(|misread| misread.how == DropReason::AlsoOpen);
    Channel {
        name: report.simulation.name(found.channel),
        arches: found.architectures.iter().map(Named::name).collect(),
        nodes: found.graph.members.len(),
        edges: found.open,
        conditional_edges: found.conditional,
        judged: found.judged(),
        goals: goals.map(Named::name).collect(),
        stranded: stranded(report, found, looked_for),
        stranding_sets_cut: found.is_incomplete,
        fixes: report.fixes(found).iter().map(|fix| Remedy::of(report, fix)).collect(),
        duplicates: both.chain(twice).map(Duplicate::of).collect(),
        dropped: dropped.into_iter().map(Duplicate::of).collect(),
    }
}

fn stranded<'a>(
    report: &'a SimulationReport<'_>,
    channel: &'a SimulatedChannel,
    looked_for: &mut LookedFor<'a, '_>,
) -> Vec<Stranded<'a>> {
    let version = |at: MemberId| channel.graph.version(at);
    let entries = channel.stranded.iter().map(|one| {
        let marked = |is_marked: &dyn Fn(&[RiskNameId]) -> bool| {
            let sets = one.sets.iter().filter(|set| !set.is_empty() && is_marked(set));
            sets.map(|set| report.names(set)).collect()
        };
        let exits = one.exits.iter().take(EXITS);
        let nearest = |exit: NearExit| NearestExit {
            from: version(exit.from),
            to: version(exit.to),
            risks: risks(report, exit.reason),
            declared_in: report.declared_in(exit.reason),
        };
        let near = looked_for.nearest.to(channel, one);
        Stranded {
            version: version(one.release),
            goal: one.goal.name(),
            cause: if one.cause == Cause::Graph { "graph" } else { "risks" },
            certain: one.is_certain,
            all_clusters: one.is_for_all,
            risks: report.names(&one.risks),
            unblocked_by: report.names(&one.unblocked_by),
            ways_out: report.ways_out(looked_for.elsewhere, channel, one),
            stranding_sets: one.sets.iter().map(|set| report.names(set)).collect(),
            always_sets: marked(&|set| report.is_always(set)),
            contradictory_sets: marked(&|set| report.simulation.contradictions.of(set).is_some()),
            exits: exits
                .map(|exit| Exit { to: version(exit.to), risks: report.names(&exit.risks) })
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

impl<'a> Remedy<'a> {
    fn of(report: &'a SimulationReport<'_>, fix: &RankedRisk) -> Self {
        let RankedRisk { risk, releases, clusters, sets, all_sets } = *fix;
        Self { risk: report.simulation.names.name(risk), releases, clusters, sets, all_sets }
    }
}

impl<'a> Duplicate<'a> {
    fn of(misread: &'a DroppedUpdate) -> Self {
        Self { from: &misread.from, to: &misread.to, kind: dropped::kind(&misread.how) }
    }
}
