//! A declaration whose `from` also matches releases with the bug.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph_data::{BlockedEdge, GraphData, ReleaseId, tombstones};
use crate::rules::shared::patterns::{PatternGroup, pattern_groups};
use crate::rules::shared::words::{ranges, subjects};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP117",
    name: "from-names-target",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Info,
    summary: "a `from` that also matches an affected release, whose clusters have the bug already",
    explanation: "\
A bug came with 4.14.5 and is still in 4.14.6. Clusters on 4.14.5 already have the bug.
Do not block their update to 4.14.6 or make it conditional: it fixes other bugs. The same
is true of a 4.13 release with the bug. If the bug occurs only in updates from releases
without it, match only these. If every update can fail because of it, the pattern is right.",
    bad: "\
blocked-edges/4.14.5.yaml     from: .*
blocked-edges/4.14.6.yaml     from: .*",
    good: "\
blocked-edges/4.14.5.yaml     from: 4[.]13[.].*
blocked-edges/4.14.6.yaml     from: 4[.]13[.].*",
    check: Check::Declarations(check),
};

/// The releases with each risk, oldest first.
type Carriers<'a> = BTreeMap<&'a str, BTreeSet<ReleaseId>>;

/// A target of a group, and a file that declares it.
type GroupTarget<'a> = (ReleaseId, &'a BlockedEdge);

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let withdrawn = tombstones(data);
    let mut carriers: Carriers<'_> = BTreeMap::new();
    for edge in &data.blocked_edges {
        let (Some(name), Some(_)) = (&edge.name, &edge.target) else { continue };
        carriers.entry(&name.value).or_default().extend(edge.release);
    }
    for group in pattern_groups(data) {
        let mut targets: Vec<GroupTarget<'_>> = group
            .edges()
            .filter_map(|edge| Some((edge.release?, edge)))
            // In a few old releases, this pre-release is the architecture.
            .filter(|(release, _)| data.releases.get(*release).version.pre.as_str() != "s390x")
            .collect();
        targets.sort_by_key(|(release, _)| *release);
        if let Some(name) = &group.first.name {
            let carriers = carriers.get(name.value.as_str());
            findings
                .extend(carriers.and_then(|carriers| finding(data, &group, &targets, carriers)));
            continue;
        }
        // Blocks have no name. Blocks of neighboring releases are usually for the same bug.
        let follows = |earlier: ReleaseId, later: ReleaseId| {
            let mut between = ReleaseId::between(earlier, later);
            data.releases.are_of_one_minor(earlier, later)
                && between.all(|id| withdrawn.contains(&id))
        };
        for run in targets.chunk_by(|earlier, later| follows(earlier.0, later.0)) {
            let blocked = run.iter().map(|(release, _)| *release).collect();
            findings.extend(finding(data, &group, run, &blocked));
        }
    }
}

/// The finding if a group also stops updates from releases that have the bug themselves.
fn finding(
    data: &GraphData,
    group: &PatternGroup<'_>,
    targets: &[GroupTarget<'_>],
    carriers: &BTreeSet<ReleaseId>,
) -> Option<Finding> {
    let affected_origins = |edge: &BlockedEdge| {
        let possible = carriers.range(edge.possible_origins.clone());
        possible.copied().filter(|carrier| group.reaches(*carrier))
    };
    let (_, edge) = targets.iter().find(|(_, edge)| affected_origins(edge).next().is_some())?;
    let all: Vec<ReleaseId> = targets.iter().map(|(release, _)| *release).collect();
    let origins: BTreeSet<ReleaseId> =
        targets.iter().flat_map(|(_, edge)| affected_origins(edge)).collect();
    let origins: Vec<ReleaseId> = origins.into_iter().collect();
    let what = match &edge.name {
        Some(name) => format!("the risk `{}`", shortened(&name.value)),
        None => "the block".to_owned(),
    };
    let (are_they, them) = match origins.len() {
        1 => ("is affected itself", "it"),
        _ => ("are affected themselves", "them"),
    };
    let message = format!(
        "{what} on {} also applies to updates from {}, which {are_they}. Clusters on {them} probably already have the bug",
        ranges(data, &all),
        ranges(data, &origins),
    );
    let about = format!("{} {}", subjects(targets.iter().map(|one| one.1)), group.from.value);
    let finding = Finding::at(&RULE, edge.from.as_ref()?.span, message)
        .grouped(about)
        .help("if only clusters on unaffected releases get the bug, match only those");
    let others = targets.iter().map(|(_, other)| other).filter(|other| other.file != edge.file);
    Some(
        others
            .filter_map(|other| other.from.as_ref())
            .fold(finding, |finding, from| finding.copy(from.span, "the same pattern")),
    )
}
