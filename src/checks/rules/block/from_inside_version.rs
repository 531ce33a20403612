//! A `from` that matches only a part of a release's version.

use crate::domain::{Minor, is_general};
use crate::graph_data::{BlockedEdge, GraphData, Match, ReleaseId};
use crate::rules::shared::patterns::pattern_groups;
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP106",
    name: "from-inside-version",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that matches unintended releases because it is unanchored",
    explanation: "\
The service looks for the pattern anywhere in the version. `4[.]7[.][0-9]` also
matches 4.7.24, because that version begins with 4.7.2, and `4[.]18` matches 4.14.18.
In the same way, `4[.]20[.]([0-9]|1[0-4]).*` matches 4.20.34: after the 3, `.*` takes the rest.
Clusters on unintended releases lose their updates, or see a risk that they do not have.

A pattern that begins with `^` and has `[+]` where the version ends avoids this.",
    bad: "from: 4[.]7[.][0-9]|4[.]7[.]1[1-9]",
    good: "from: ^4[.]7[.]([0-9]|1[1-9])[+].*$",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for group in pattern_groups(data) {
        let (piece, why, help) = if group.has_match(Match::Prefix) {
            (
                "because the pattern is unanchored",
                Match::Prefix,
                "end each number with `[+]`, or with `[.]` if another number follows",
            )
        } else if group.has_match(Match::Rest) {
            (
                "because `.*` also matches digits",
                Match::Rest,
                "end each number with `[+]`, or with `[.]` if another number follows",
            )
        } else if group.has_match(Match::Middle) {
            (
                "in the middle of the version",
                Match::Middle,
                "begin the pattern with `^`, and write the version from its first number",
            )
        } else {
            continue;
        };
        let releases: Vec<ReleaseId> = group.matched_by(why).collect();
        let plain: Vec<ReleaseId> = group.matched_by(Match::Plain).collect();
        let adverb = if plain.is_empty() { "only" } else { "also" };
        let message = format!("`from` {adverb} matches {} {piece}", ranges(data, &releases));
        let help = match ranges(data, &plain) {
            plain if plain.is_empty() => help.to_owned(),
            plain => format!("if you mean only {plain}, {help}{}", group.meant()),
        };
        let severity = if group.edges().all(|edge| is_old_prerelease(data, edge)) {
            Severity::Info
        } else {
            RULE.severity
        };
        let finding = Finding::at(&RULE, group.from.span, message).help(help).severity(severity);
        findings.push(group.with_other_declarations(finding));
    }
}

/// Whether the target is a pre-release of a minor that is generally available. No newer release can
/// be updated to it.
fn is_old_prerelease(data: &GraphData, edge: &BlockedEdge) -> bool {
    let Some(target) = edge.target.as_ref().filter(|target| !is_general(target)) else {
        return false;
    };
    let mut minor = data.releases.of_minor(Minor::of(target));
    minor.any(|id| data.releases.get(id).is_general())
}
