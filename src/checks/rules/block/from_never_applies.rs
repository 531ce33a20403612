//! A `from` that matches no origin of its target.

use crate::domain::{Minor, Version, is_general};
use crate::graph_data::{BlockedEdge, GraphData, Reached, ReleaseId};
use crate::rules::shared::patterns::{PatternGroup, pattern_groups};
use crate::rules::shared::words::{ranges, subjects};
use crate::rules::{
    Check, Family, Finding, Origin, Properties, Rule, Severity, Updates, shortened,
};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP105",
    name: "from-never-applies",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that matches releases, but none that can update to its `to`",
    explanation: "\
Updates start from older releases of the same minor and from releases of the previous
minor, if the target's image lists them. A pattern that matches only other releases has
no effect. Usually the file was copied to another minor and the pattern was not changed.
If the minors are right but the image lists none of the releases, the file is useless. Which
updates an image lists is predicted from the history, so the rule does not look at pre-releases,
and at releases that the build suggestions of today would list.",
    bad: "\
to: 4.15.2
from: 4[.]13[.].*",
    good: "\
to: 4.15.2
from: 4[.]14[.].*",
    check: Check::Updates(check),
};

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    for group in pattern_groups(data).filter(|group| group.pattern.reach.any) {
        let is_of_another_minor = |edge: &&BlockedEdge| reached(data, edge).is_empty();
        let (strays, mut others): (Vec<_>, Vec<_>) =
            group.edges().filter(|edge| is_decidable(edge, data)).partition(is_of_another_minor);
        others.retain(|edge| is_not_listed(updates, edge) && is_well_predicted(updates, edge));
        findings.extend(of_another_minor(data, &group, &strays));
        findings.extend(not_listed(updates, &others));
    }
}

/// If no origin of the target is known, nothing can be decided. `unknown-target` reports wrong
/// targets.
fn is_decidable(edge: &BlockedEdge, data: &GraphData) -> bool {
    let target = edge.target.as_ref();
    !edge.possible_origins.is_empty()
        && target.is_some_and(|target| !data.releases.is_beyond(target))
}

/// Whether the target lists none of the releases that the pattern matches.
fn is_not_listed(updates: &Updates<'_>, edge: &BlockedEdge) -> bool {
    let reached = reached(updates.data, edge);
    let listed = edge.release.and_then(|target| updates.listed(target));
    listed.is_some_and(|listed| !have_one_in_common(listed, reached))
}

/// Whether two lists, each in order of releases, name one release.
fn have_one_in_common(listed: &[Origin], reached: &[Reached]) -> bool {
    let mut reached = reached.iter().map(|one| one.release).peekable();
    listed.iter().any(|origin| {
        while reached.next_if(|release| *release < origin.release).is_some() {}
        reached.peek() == Some(&origin.release)
    })
}

/// Whether the prediction of a target's updates is reliable. It often is not for pre-releases, and
/// for a minor whose build suggestions changed their ranges after the release.
fn is_well_predicted(updates: &Updates<'_>, edge: &BlockedEdge) -> bool {
    let data = updates.data;
    let Some(target) = edge.target.as_ref().filter(|target| is_general(target)) else {
        return false;
    };
    let of_minor = data.suggestions.iter().filter(|one| one.minor == Minor::of(target));
    let mut ranges =
        of_minor.flat_map(|one| &one.entries).flat_map(|entry| [&entry.minor, &entry.z]);
    let versions = reached(data, edge).iter().map(|one| &data.releases.get(one.release).version);
    let versions: Vec<&Version> = versions.collect();
    !ranges.any(|range| versions.iter().any(|version| range.holds(version)))
}

fn reached<'a>(data: &'a GraphData, edge: &BlockedEdge) -> &'a [Reached] {
    data.reached(edge).unwrap_or_default()
}

/// The finding if the pattern matches only releases of other minors.
fn of_another_minor(
    data: &GraphData,
    group: &PatternGroup<'_>,
    idle: &[&BlockedEdge],
) -> Option<Finding> {
    let edge = idle.first()?;
    let (target, from) = (edge.target.as_ref()?, edge.from.as_ref()?);
    let minor = Minor::of(target);
    let origins = match data.releases.minor_before(minor) {
        Some(before) => format!("{before} or {minor}"),
        None => minor.to_string(),
    };
    let message = format!(
        "`from` matches no release that can update to {}: expected earlier {origins} releases",
        targets(idle),
    );
    let is_found = |served: &str| {
        group.pattern.walk.as_ref().is_some_and(|walk| walk.explain(served).is_some())
    };
    let matched = data.releases.iter().filter(|(_, release)| is_found(&release.served));
    let matched: Vec<_> = matched.map(|(id, _)| id).collect();
    let help = match ranges(data, &matched) {
        matched if matched.is_empty() => {
            "was this file copied to another minor without editing `from`?".to_owned()
        }
        matched => format!(
            "was this file copied to another minor without editing `from`? It matches {matched}"
        ),
    };
    Some(with_others(Finding::at(&RULE, from.span, message).help(help), idle))
}

/// The finding if the minors are right, but no target lists any of the releases.
fn not_listed(updates: &Updates<'_>, idle: &[&BlockedEdge]) -> Option<Finding> {
    let data = updates.data;
    let edge = idle.first()?;
    let (target, from) = (edge.target.as_ref()?, edge.from.as_ref()?);
    let matched: Vec<ReleaseId> = reached(data, edge).iter().map(|one| one.release).collect();
    let listed = edge.release.and_then(|target| updates.listed(target)).unwrap_or_default();
    let of_same_minors = |id: &ReleaseId| {
        matched.iter().any(|matched| data.releases.are_of_one_minor(*matched, *id))
    };
    let alternatives: Vec<ReleaseId> =
        listed.iter().map(|origin| origin.release).filter(of_same_minors).collect();
    let message = format!(
        "`from` matches {}, but nothing updates from there to {} (predicted)",
        ranges(data, &matched),
        targets(idle)
    );
    let help = match ranges(data, &alternatives) {
        alternatives if alternatives.is_empty() => {
            format!("no known update to `{target}` comes from that minor")
        }
        alternatives => {
            format!("known updates to `{target}` come from {alternatives}: did you mean these?")
        }
    };
    let finding = Finding::at(&RULE, from.span, message).severity(Severity::Info);
    Some(with_others(finding.when_new(Severity::Warning).help(help), idle))
}

fn targets(idle: &[&BlockedEdge]) -> String {
    let targets = idle.iter().filter_map(|edge| edge.to.as_ref());
    listed(&targets.map(|to| format!("`{}`", shortened(&to.value))).collect::<Vec<_>>(), "and")
}

fn with_others(finding: Finding, idle: &[&BlockedEdge]) -> Finding {
    let others = idle[1..].iter().filter_map(|edge| edge.from.as_ref());
    let from = idle[0].from.as_ref().map_or("", |from| &from.value);
    let finding = finding.grouped(format!("{} {from}", subjects(idle.iter().copied())));
    others.fold(finding, |finding, from| {
        finding.copy(from.span, "the same pattern, also without effect")
    })
}
