//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{Cause, RiskNameId, Simulation};
use crate::change::{
    AlteredUpdate, Clusters, ComparedChannelId, Comparison, Effect, ExitEntry, Fate, Move,
    PatternChange, QueryChange, RiskChange, RiskStatus, Seen, Stated, TextChange,
};
use crate::domain::Named;
use crate::report::json::write_json_line;

use super::ChangeReport;

#[derive(Serialize)]
pub(in crate::surfaces::report) struct ChangeJson<'a> {
    version: u32,
    base: &'a str,
    base_commit: &'a str,
    head: &'a str,
    releases: ReleasesJson<'a>,
    moves: Vec<MoveJson<'a>>,
    updates: Vec<UpdateJson<'a>>,
    risks: Vec<RiskJson<'a>>,
    stranded: Vec<ExitJson<'a>>,
    conditional_only: Vec<ExitJson<'a>>,
    unblocked: Vec<ExitJson<'a>>,
    upkeep: Vec<UpkeepJson<'a>>,
    unloaded: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    unchecked: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expectations: Vec<ExpectationJson<'a>>,
}

#[derive(Serialize)]
struct UpkeepJson<'a> {
    what: &'a str,
    details: &'a [String],
}

#[derive(Serialize)]
struct AwaitedJson<'a> {
    targets: &'a [String],
    applies: &'a str,
    others: &'a str,
}

#[derive(Serialize)]
struct ExpectationJson<'a> {
    statement: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    holds: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<String>,
}

#[derive(Serialize)]
struct ReleasesJson<'a> {
    source: &'a str,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<&'a str>,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    #[serde(rename = "version")]
    release: &'a str,
    joins: Vec<&'a str>,
    leaves: Vec<&'a str>,
    new: bool,
    gone: bool,
}

#[derive(Serialize)]
struct UpdateJson<'a> {
    change: &'static str,
    from: &'a str,
    to: &'a str,
    before: StateJson<'a>,
    after: StateJson<'a>,
    channels: Vec<&'a str>,
    arches: Vec<&'static str>,
    certain: bool,
}

#[derive(Serialize)]
struct StateJson<'a> {
    state: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    risks: &'a [String],
}

#[derive(Serialize)]
struct RiskJson<'a> {
    name: Option<&'a str>,
    change: &'static str,
    targets_added: &'a [String],
    targets_dropped: &'a [String],
    from: Vec<PatternJson<'a>>,
    keys: Vec<TextJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    awaited: Vec<AwaitedJson<'a>>,
    queries: Vec<QueryJson<'a>>,
}

#[derive(Serialize)]
struct QueryJson<'a> {
    targets: &'a [String],
    caught: ClustersJson<'a>,
    missed: ClustersJson<'a>,
    complete: bool,
}

#[derive(Serialize)]
struct ClustersJson<'a> {
    samples: &'a [&'static str],
    example: Option<&'a str>,
    series: &'a [String],
}

impl<'a> ClustersJson<'a> {
    fn of(clusters: &'a Clusters) -> Self {
        let Clusters { samples, example, series } = clusters;
        Self { samples, example: example.as_deref(), series }
    }
}

#[derive(Serialize)]
struct PatternJson<'a> {
    before: &'a str,
    after: &'a str,
    targets: &'a [String],
    includes: &'a [String],
    excludes: &'a [String],
}

#[derive(Serialize)]
struct TextJson<'a> {
    key: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'a str>,
    targets: &'a [String],
}

#[derive(Serialize)]
struct ExitJson<'a> {
    channel: &'a str,
    arches: Vec<&'static str>,
    #[serde(rename = "version")]
    release: &'a str,
    goal: &'static str,
    cause: &'static str,
    effect: &'static str,
    severity: &'static str,
    all_clusters: bool,
    stranding_sets: Vec<Vec<&'a str>>,
    unblocked_by: Vec<&'a str>,
    certain: bool,
    /// How many clusters run the release in the channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<u64>,
}

pub(super) fn write(report: &ChangeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_json_line(&ChangeJson::of(report), out)
}

impl<'a> ChangeJson<'a> {
    pub(in crate::surfaces::report) fn of(report: &'a ChangeReport<'_>) -> Self {
        let comparison = report.comparison();
        let exits = &report.change.exits;
        Self {
            version: 1,
            base: report.revisions.base,
            base_commit: report.revisions.base_commit,
            head: report.revisions.head,
            releases: ReleasesJson {
                source: &report.provenance.source,
                notes: &report.provenance.notes,
                as_of: report.provenance.as_of.as_deref(),
            },
            moves: comparison.moves.iter().map(|one| MoveJson::of(one, comparison)).collect(),
            updates: comparison.altered.iter().map(|one| UpdateJson::of(one, comparison)).collect(),
            risks: comparison.risks.iter().map(RiskJson::of).collect(),
            stranded: exit_entries(report, &exits.after, &exits.stranded),
            conditional_only: exit_entries(report, &exits.after, &exits.conditional_only),
            unblocked: exit_entries(report, &exits.before, &exits.unblocked),
            upkeep: report
                .change
                .upkeep
                .iter()
                .map(|one| UpkeepJson { what: &one.summary, details: &one.details })
                .collect(),
            unloaded: &report.change.unloaded,
            unchecked: report.change.unchecked.as_deref(),
            expectations: expectations(report),
        }
    }
}

fn names<'a>(comparison: &'a Comparison, channels: &[ComparedChannelId]) -> Vec<&'a str> {
    channels.iter().map(|at| comparison.channels[*at].as_str()).collect()
}

impl<'a> MoveJson<'a> {
    fn of(one: &Move, comparison: &'a Comparison) -> Self {
        Self {
            release: &comparison.versions[one.release],
            joins: names(comparison, &one.joins),
            leaves: names(comparison, &one.leaves),
            new: one.is_new,
            gone: one.is_gone,
        }
    }
}

impl<'a> UpdateJson<'a> {
    fn of(change: &AlteredUpdate, comparison: &'a Comparison) -> Self {
        Self {
            change: match change.fate {
                Fate::Lost => "lost",
                Fate::MadeConditional => "made-conditional",
                Fate::RisksChanged => "other-risks",
                Fate::MadeUnconditional => "made-unconditional",
                Fate::Gained => "gained",
            },
            from: &comparison.versions[change.from],
            to: &comparison.versions[change.to],
            before: StateJson::of(&comparison.seen[change.before]),
            after: StateJson::of(&comparison.seen[change.after]),
            channels: names(comparison, &change.channels),
            arches: change.architectures.iter().map(Named::name).collect(),
            certain: change.is_certain,
        }
    }
}

impl<'a> StateJson<'a> {
    fn of(seen: &'a Seen) -> Self {
        let state = match seen {
            Seen::Nothing => "absent",
            Seen::Blocked => "blocked",
            Seen::Open => "unconditional",
            Seen::Conditional(_) => "conditional",
        };
        Self { state, risks: seen.risks() }
    }
}

impl<'a> RiskJson<'a> {
    fn of(change: &'a RiskChange) -> Self {
        let pattern = |one: &'a PatternChange| PatternJson {
            before: &one.before,
            after: &one.after,
            targets: &one.targets,
            includes: &one.includes,
            excludes: &one.excludes,
        };
        let text = |one: &'a TextChange| TextJson {
            key: one.key,
            before: one.before.as_deref(),
            after: one.after.as_deref(),
            targets: &one.targets,
        };
        let query = |one: &'a QueryChange| QueryJson {
            targets: &one.targets,
            caught: ClustersJson::of(&one.caught),
            missed: ClustersJson::of(&one.missed),
            complete: one.is_complete,
        };
        Self {
            name: change.name.as_deref(),
            change: match change.status {
                RiskStatus::New => "added",
                RiskStatus::Gone => "dropped",
                RiskStatus::Changed => "changed",
            },
            targets_added: &change.added,
            targets_dropped: &change.dropped,
            from: change.patterns.iter().map(pattern).collect(),
            keys: change.texts.iter().map(text).collect(),
            awaited: change
                .awaited
                .iter()
                .map(|one| AwaitedJson {
                    targets: &one.targets,
                    applies: one.applies.as_deref().unwrap_or_default(),
                    others: one.others.as_deref().unwrap_or_default(),
                })
                .collect(),
            queries: change.queries.iter().map(query).collect(),
        }
    }
}

fn exit_entries<'a>(
    report: &ChangeReport<'_>,
    simulation: &'a Simulation<'_>,
    entries: &'a [ExitEntry],
) -> Vec<ExitJson<'a>> {
    let named = |ids: &Vec<RiskNameId>| ids.iter().map(|id| simulation.names.name(*id)).collect();
    let exit = |entry: &'a ExitEntry| {
        let (channel, one) = entry.of(simulation);
        ExitJson {
            channel: simulation.name(channel.channel),
            arches: entry.architectures.iter().map(Named::name).collect(),
            release: channel.graph.version(one.release),
            goal: one.goal.name(),
            cause: if one.cause == Cause::Graph { "graph" } else { "risks" },
            effect: match entry.effect {
                Effect::DeadEnd => "dead-end",
                Effect::Lost => "lost",
                Effect::LostForAll => "lost-for-all",
                Effect::ConditionalOnly => "conditional-only",
                Effect::Unblocked => "unblocked",
            },
            severity: entry.severity(simulation).name(),
            all_clusters: one.is_for_all,
            stranding_sets: one.sets.iter().map(named).collect(),
            unblocked_by: named(&one.unblocked_by),
            certain: entry.is_certain,
            clusters: report.clusters_on(std::slice::from_ref(entry), simulation),
        }
    };
    entries.iter().map(exit).collect()
}

fn expectations<'a>(report: &'a ChangeReport<'_>) -> Vec<ExpectationJson<'a>> {
    let expectation = |stated: &'a Stated| {
        let why = report.broken.iter().filter(|one| std::ptr::eq(one.stated, stated));
        let why: Vec<String> = why.map(|one| one.why.clone()).collect();
        let (statement, commit) = (stated.text.as_str(), stated.commit.as_deref());
        ExpectationJson { statement, commit, holds: why.is_empty(), why }
    };
    report.expectations.iter().map(expectation).collect()
}
