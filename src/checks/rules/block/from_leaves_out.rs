//! A `from` that skips a release.

use crate::graph_data::{GraphData, Match, ReleaseId, tombstones};
use crate::rules::shared::patterns::pattern_groups;
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP109",
    name: "from-leaves-out",
    properties: Properties::OF_ONE_RISK_IN_CHANNELS,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that skips a release between those it matches",
    explanation: "\
A bug affects a range of releases. A pattern that matches older and newer releases of a
minor, but skips one between them, usually has a mistake in the range: `1[0-8]|2[0-9]`
misses 19. Clusters on that release are offered the update.",
    bad: "from: ^4[.]13[.]([0-8]|1[0-9])[+].*$",
    good: "from: ^4[.]13[.]([0-9]|1[0-9])[+].*$",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for group in pattern_groups(data) {
        // A release that is matched by accident does not belong to the intended range.
        let mut skipped = skipped_releases(data, group.matched_by(Match::Plain));
        // This is slow, and few patterns skip any release.
        skipped.retain(|release| !is_withdrawn(data, *release));
        if skipped.is_empty() {
            continue;
        }
        let matched: Vec<ReleaseId> = group.matched_by(Match::Plain).collect();
        let message =
            format!("`from` skips {}, between releases that it matches", ranges(data, &skipped));
        let finding = Finding::at(&RULE, group.from.span, message).help(format!(
            "the pattern matches {}; if the bug also affects {}, include it{}",
            ranges(data, &matched),
            ranges(data, &skipped),
            group.with(&skipped)
        ));
        findings.push(group.with_other_declarations(finding));
    }
}

/// The generally available releases between matched releases of the same minor.
fn skipped_releases(data: &GraphData, matched: impl Iterator<Item = ReleaseId>) -> Vec<ReleaseId> {
    let is_general = |id: &ReleaseId| data.releases.get(*id).is_general();
    let mut skipped = Vec::new();
    let mut last: Option<ReleaseId> = None;
    for release in matched.filter(is_general) {
        let earlier = last.replace(release);
        let earlier = earlier.filter(|one| {
            let is_next = one.index() + 1 == release.index();
            !is_next && data.releases.are_of_one_minor(*one, release)
        });
        let between = earlier.into_iter().flat_map(|one| ReleaseId::between(one, release));
        skipped.extend(between.filter(is_general));
    }
    skipped
}

/// Whether a release is a tombstone that no cluster should run.
fn is_withdrawn(data: &GraphData, release: ReleaseId) -> bool {
    let mut promoted = data
        .channels
        .iter()
        .filter(|channel| channel.parts().is_some_and(|parts| parts.phase != "candidate"));
    tombstones(data).contains(&release) && !promoted.any(|channel| channel.holds(release))
}
