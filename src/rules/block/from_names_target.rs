//! A declaration that stops updates between its own targets.

use crate::graph_data::{BlockedEdge, GraphData, ReleaseId, tombstones};
use crate::rules::shared::patterns::{PatternGroup, pattern_groups};
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP117",
    name: "from-names-target",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Info,
    summary: "a `from` that also matches an affected release, whose clusters have the bug already",
    explanation: "\
A bug came with 4.14.5 and is still in 4.14.6. Clusters on 4.14.5 already have the bug.
Do not block their update to 4.14.6 or make it conditional: it fixes other bugs. If the
bug occurs in updates from the previous minor, match only that minor.",
    bad: "\
blocked-edges/4.14.5.yaml     from: .*
blocked-edges/4.14.6.yaml     from: .*",
    good: "\
blocked-edges/4.14.5.yaml     from: 4[.]13[.].*
blocked-edges/4.14.6.yaml     from: 4[.]13[.].*",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let withdrawn = tombstones(data);
    for group in pattern_groups(data) {
        let is_risk = group.edges[0].name.is_some();
        // A risk for all origins is a bug of the target itself.
        if is_risk && group.from.value == ".*" {
            continue;
        }
        let mut targets: Vec<(ReleaseId, &BlockedEdge)> = group
            .edges
            .iter()
            .filter_map(|edge| Some((data.releases.find(edge.target.as_ref()?)?, *edge)))
            // In a few old releases, this pre-release is the architecture.
            .filter(|(release, _)| data.releases.get(*release).version.pre.as_str() != "s390x")
            .collect();
        targets.sort_by_key(|(release, _)| *release);
        // Blocks have no name. Blocks of neighboring releases are usually for the same bug.
        let follows = |earlier: ReleaseId, later: ReleaseId| {
            let mut between = ReleaseId::between(earlier, later);
            data.releases.are_of_one_minor(earlier, later)
                && (is_risk || between.all(|id| withdrawn.contains(&id)))
        };
        for run in targets.chunk_by(|earlier, later| follows(earlier.0, later.0)) {
            findings.extend(finding(data, &group, run));
        }
    }
}

fn finding(
    data: &GraphData,
    group: &PatternGroup<'_>,
    run: &[(ReleaseId, &BlockedEdge)],
) -> Option<Finding> {
    let own: Vec<ReleaseId> = run[..run.len().saturating_sub(1)]
        .iter()
        .map(|(release, _)| *release)
        .filter(|release| group.reaches(*release))
        .collect();
    let (_, edge) = run.iter().find(|(release, _)| own.first().is_some_and(|o| o < release))?;
    let all: Vec<ReleaseId> = run.iter().map(|(release, _)| *release).collect();
    let what = match &edge.name {
        Some(name) => format!("the risk `{}`", shortened(&name.value)),
        None => "the block".to_owned(),
    };
    let message = format!(
        "{what} on {} also applies to updates between these releases. Clusters on them probably already have the bug",
        ranges(data, &all),
    );
    let finding = Finding::at(&RULE, edge.from.as_ref()?.span, message)
        .help("if the bug occurs in updates from the previous minor, match only that minor");
    let others = run.iter().map(|(_, other)| other).filter(|other| other.file != edge.file);
    Some(
        others
            .filter_map(|other| other.from.as_ref())
            .fold(finding, |finding, from| finding.related(from.span, "the same pattern")),
    )
}
