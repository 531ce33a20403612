//! For programs: versioned, and only ever added to.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{Cause, RiskNameId, Simulation};
use crate::change::{
    AlteredUpdate, ComparedChannelId, Comparison, Effect, ExitEntry, Fate, Move, RiskChange,
    RiskStatus, Seen, Stated,
};
use crate::domain::Named;

use super::ChangeReport;

/// What a change does.
#[derive(Serialize)]
pub(in crate::report) struct Document<'a> {
    version: u32,
    base: &'a str,
    base_commit: &'a str,
    head: &'a str,
    releases: Releases<'a>,
    moves: Vec<Moved<'a>>,
    updates: Vec<Update<'a>>,
    risks: Vec<Risk<'a>>,
    stranded: Vec<Exit<'a>>,
    conditional_only: Vec<Exit<'a>>,
    #[serde(rename = "freed")]
    unblocked: Vec<Exit<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expectations: Vec<Expectation<'a>>,
}

#[derive(Serialize)]
struct Expectation<'a> {
    statement: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    holds: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<String>,
}

#[derive(Serialize)]
struct Releases<'a> {
    source: &'a str,
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<&'a str>,
}

#[derive(Serialize)]
struct Moved<'a> {
    #[serde(rename = "version")]
    release: &'a str,
    joins: Vec<&'a str>,
    leaves: Vec<&'a str>,
    new: bool,
    gone: bool,
}

#[derive(Serialize)]
struct Update<'a> {
    change: &'static str,
    from: &'a str,
    to: &'a str,
    before: State<'a>,
    after: State<'a>,
    channels: Vec<&'a str>,
    arches: Vec<&'static str>,
    certain: bool,
}

#[derive(Serialize)]
struct State<'a> {
    state: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    risks: &'a [String],
}

#[derive(Serialize)]
struct Risk<'a> {
    name: Option<&'a str>,
    change: &'static str,
    targets_added: &'a [String],
    targets_dropped: &'a [String],
    from: Vec<Pattern<'a>>,
    keys: Vec<Text<'a>>,
}

#[derive(Serialize)]
struct Pattern<'a> {
    before: &'a str,
    after: &'a str,
    targets: &'a [String],
    includes: &'a [String],
    excludes: &'a [String],
}

#[derive(Serialize)]
struct Text<'a> {
    key: &'static str,
    before: &'a str,
    after: &'a str,
    targets: &'a [String],
}

#[derive(Serialize)]
struct Exit<'a> {
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
    #[serde(rename = "freed_by")]
    unblocked_by: Vec<&'a str>,
    certain: bool,
}

pub(super) fn write(report: &ChangeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Document::of(report))?;
    writeln!(out)
}

impl<'a> Document<'a> {
    pub(in crate::report) fn of(report: &'a ChangeReport<'_>) -> Self {
        let comparison = report.comparison();
        let exits = &report.change.exits;
        Self {
            version: 1,
            base: report.base,
            base_commit: report.base_commit,
            head: report.head,
            releases: Releases {
                source: &report.provenance.source,
                note: report.provenance.notes.join("; "),
                as_of: report.provenance.as_of.as_deref(),
            },
            moves: comparison.moves.iter().map(|one| Moved::of(one, comparison)).collect(),
            updates: comparison.altered.iter().map(|one| Update::of(one, comparison)).collect(),
            risks: comparison.risks.iter().map(Risk::of).collect(),
            stranded: exit_list(&exits.after, &exits.stranded),
            conditional_only: exit_list(&exits.after, &exits.conditional_only),
            unblocked: exit_list(&exits.before, &exits.unblocked),
            expectations: expectations(report),
        }
    }
}

fn names<'a>(comparison: &'a Comparison, channels: &[ComparedChannelId]) -> Vec<&'a str> {
    channels.iter().map(|at| comparison.channels[*at].as_str()).collect()
}

impl<'a> Moved<'a> {
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

impl<'a> Update<'a> {
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
            before: State::of(&comparison.seen[change.before]),
            after: State::of(&comparison.seen[change.after]),
            channels: names(comparison, &change.channels),
            arches: change.architectures.iter().map(Named::name).collect(),
            certain: change.is_certain,
        }
    }
}

impl<'a> State<'a> {
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

impl<'a> Risk<'a> {
    fn of(change: &'a RiskChange) -> Self {
        let pattern = |one: &'a crate::change::PatternChange| Pattern {
            before: &one.before,
            after: &one.after,
            targets: &one.targets,
            includes: &one.includes,
            excludes: &one.excludes,
        };
        let text = |one: &'a crate::change::TextChange| Text {
            key: one.key,
            before: &one.before,
            after: &one.after,
            targets: &one.targets,
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
        }
    }
}

fn exit_list<'a>(simulation: &'a Simulation<'_>, entries: &'a [ExitEntry]) -> Vec<Exit<'a>> {
    let named = |ids: &Vec<RiskNameId>| ids.iter().map(|id| simulation.names.name(*id)).collect();
    let exit = |entry: &'a ExitEntry| {
        let (channel, one) = entry.of(simulation);
        Exit {
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
                Effect::Unblocked => "freed",
            },
            severity: entry.severity(simulation).name(),
            all_clusters: one.is_for_all,
            stranding_sets: one.sets.iter().map(named).collect(),
            unblocked_by: named(&one.unblocked_by),
            certain: entry.is_certain,
        }
    };
    entries.iter().map(exit).collect()
}

fn expectations<'a>(report: &'a ChangeReport<'_>) -> Vec<Expectation<'a>> {
    let broken = report.broken();
    let expectation = |(at, stated): (usize, &'a Stated)| {
        let why = broken.iter().filter(|one| one.stated == at).map(|one| one.why.clone());
        let why: Vec<String> = why.collect();
        let (statement, commit) = (stated.text.as_str(), stated.commit.as_deref());
        Expectation { statement, commit, holds: why.is_empty(), why }
    };
    report.expectations.iter().enumerate().map(expectation).collect()
}
