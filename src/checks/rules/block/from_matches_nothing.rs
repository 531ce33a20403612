//! A `from` that matches no release.

use crate::domain::Minor;
use crate::graph_data::{GraphData, Match, NEXT};
use crate::rules::shared::patterns::{PatternGroup, find_typo, pattern_groups};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP103",
    name: "from-matches-nothing",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that matches no release in any channel",
    explanation: "\
The service looks for the pattern in each origin's version with its architecture, such
as `4.13.5+amd64`. A pattern that matches none of them has no effect: the updates that
it was meant to stop are offered to all clusters. Often the pattern ends in `$` but
does not match the architecture, or it has a missing or extra dot.",
    bad: "from: ^4[.]13[.][0-9]$",
    good: "from: ^4[.]13[.][0-9][+].*$",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // Without channels, no release is known.
    if data.releases.is_empty() {
        return;
    }
    let nothing = |group: &PatternGroup<'_>| !group.pattern.reach.any;
    for group in pattern_groups(data).filter(nothing) {
        if matches_future_release(data, &group) {
            continue;
        }
        let what = match &group.first.name {
            Some(name) => format!("`{}` affects no updates", shortened(&name.value)),
            None => "it blocks no updates".to_owned(),
        };
        let message =
            format!("`from` matches no release in any channel, so {what} to {}", group.targets());
        let mut targets = group.edges().filter_map(|edge| edge.target.as_ref());
        let help = match find_typo(&group, 0..group.from.value.len()) {
            Some(typo) => format!("{}: write `{}`", typo.what, typo.corrected),
            // `unknown-target` names the release that was meant.
            None if targets.all(|target| data.releases.is_beyond(target)) => {
                "correct `to` first, which names an unknown release".to_owned()
            }
            None => "the service looks for it in versions like `4.13.5+amd64`: compare it with the releases in the channels".to_owned(),
        };
        let finding = Finding::at(&RULE, group.from.span, message).help(help);
        findings.push(group.with_other_declarations(finding));
    }
}

/// Whether the pattern matches one of the next origins of a target. Some declarations are made
/// before the release is enabled.
fn matches_future_release(data: &GraphData, group: &PatternGroup<'_>) -> bool {
    let Some(walk) = &group.pattern.walk else { return false };
    let targets = group.edges().filter_map(|edge| edge.target.as_ref());
    let minors = targets.map(Minor::of).flat_map(|of| [Some(of), data.releases.minor_before(of)]);
    minors.flatten().any(|minor| {
        let newest = data.releases.of_minor(minor).next_back();
        let patch = newest.map_or(0, |newest| data.releases.get(newest).version.patch + 1);
        let mut next = (patch..patch + NEXT).map(|patch| format!("{minor}.{patch}+amd64"));
        next.any(|version| walk.explain(&version) == Some(Match::Plain))
    })
}
