//! Writes the report as JSON; `exitpath schema catalog-substitution` describes it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::package::Entry;
use crate::catalog::substitution::{ChannelEffect, SubstitutionFault};
use crate::domain::Named;
use crate::go::semver::Range;
use crate::report::json::write_json;

use super::{PackageEffects, SubstitutionReport};

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    packages: Vec<PackageJson<'a>>,
    goals: Vec<GoalJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opm_refuses: Option<&'a str>,
    /// The errors whose package is unknown.
    errors: Vec<ErrorJson<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct GoalJson {
    goal: &'static str,
    met: bool,
    missed: Vec<String>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct PackageJson<'a> {
    package: &'a str,
    chains: Vec<&'a [String]>,
    channels: Vec<ChannelJson<'a>>,
    /// The channels that are too large, and stay as they are.
    too_large: &'a [String],
    errors: Vec<ErrorJson<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct ChannelJson<'a> {
    channel: &'a str,
    heads: Vec<&'a str>,
    entries: Vec<EntryJson<'a>>,
    gained: Vec<GainedJson<'a>>,
    lost: Vec<LostJson<'a>>,
    stuck: Vec<StuckJson<'a>>,
    stranded: &'a [&'a str],
    forced: Vec<ForcedJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    replaces: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    skips: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    skip_range: Option<&'a str>,
}

#[derive(Serialize)]
struct GainedJson<'a> {
    from: &'a str,
    to: &'a str,
    shortcut: bool,
}

#[derive(Serialize)]
struct LostJson<'a> {
    from: &'a str,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<&'a str>,
}

#[derive(Serialize)]
struct StuckJson<'a> {
    name: &'a str,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
}

#[derive(Serialize)]
struct ForcedJson<'a> {
    from: &'a str,
    through: &'a str,
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    fatal: bool,
    message: String,
    help: String,
}

pub(super) fn write(report: SubstitutionReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut errors: BTreeMap<Option<&str>, Vec<ErrorJson<'_>>> = BTreeMap::new();
    for fault in report.faults {
        errors.entry(fault.package.as_deref()).or_default().push(error(report, fault));
    }
    let mut packages: Vec<PackageJson<'_>> =
        report.packages.iter().map(|package| written(package, &mut errors)).collect();
    let of_none = errors.remove(&None).unwrap_or_default();
    // A package with contradictions has errors, but no result.
    for (package, errors) in errors {
        let package = package.unwrap_or_default();
        let (chains, channels) = (Vec::new(), Vec::new());
        packages.push(PackageJson { package, chains, channels, too_large: &[], errors });
    }
    packages.sort_by_key(|package| package.package);
    let goals = report.goals().into_iter().map(|goal| GoalJson {
        goal: goal.name,
        met: goal.missed.is_empty(),
        missed: goal.missed,
    });
    let report = ReportJson {
        version: 1,
        policy: report.resolver.name(),
        packages,
        goals: goals.collect(),
        opm_refuses: report.refusal_of_opm,
        errors: of_none,
    };
    write_json(&report, out)
}

fn written<'a>(
    effects: &'a PackageEffects<'a>,
    errors: &mut BTreeMap<Option<&'a str>, Vec<ErrorJson<'a>>>,
) -> PackageJson<'a> {
    let package = effects.package.before.name.as_str();
    PackageJson {
        package,
        chains: effects.package.chains.iter().collect(),
        channels: effects.channels.iter().map(channel).collect(),
        too_large: &effects.package.too_large,
        errors: errors.remove(&Some(package)).unwrap_or_default(),
    }
}

fn channel<'a>(effect: &'a ChannelEffect<'a>) -> ChannelJson<'a> {
    let moves = &effect.after;
    let gained = effect.gained.iter();
    let lost = effect.lost.iter();
    let stuck = effect.stuck.iter().map(|stuck| StuckJson {
        name: moves.name(stuck.install),
        why: stuck.why.word(),
        by: stuck.why.by(),
    });
    let forced = effect.forced.iter();
    ChannelJson {
        channel: &moves.channel.name,
        heads: moves.heads.iter().map(|head| moves.name(*head)).collect(),
        entries: moves.channel.entries.iter().map(entry).collect(),
        gained: gained
            .map(|edge| GainedJson { from: edge.from, to: edge.to, shortcut: edge.is_shortcut })
            .collect(),
        lost: lost.map(|edge| LostJson { from: edge.from, to: edge.to, now: edge.now }).collect(),
        stuck: stuck.collect(),
        stranded: &effect.stranded,
        forced: forced.map(|(from, through)| ForcedJson { from, through }).collect(),
    }
}

fn entry(entry: &Entry) -> EntryJson<'_> {
    EntryJson {
        name: &entry.name,
        replaces: &entry.replaces,
        skips: &entry.skips,
        skip_range: entry.skip_range.as_ref().map(Range::text),
    }
}

fn error<'a>(report: SubstitutionReport<'a>, fault: &'a SubstitutionFault) -> ErrorJson<'a> {
    let source = report.sources.get(fault.span.source);
    let at = source.position(fault.span.start);
    ErrorJson {
        path: source.path(),
        line: at.line,
        column: at.column,
        fatal: fault.kind.is_fatal(),
        message: fault.kind.message(),
        help: fault.kind.help(),
    }
}
