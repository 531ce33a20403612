//! A declaration for a release that is never served.

use std::collections::BTreeMap;

use crate::domain::{Minor, Version};
use crate::graph_data::{BlockedEdge, GraphData, tombstones_by_version};
use crate::rules::shared::words::subjects;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP116",
    name: "unserved-target",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Info,
    summary: "a `to` that is in no channel, although later releases of its minor are",
    explanation: "\
The service only offers releases that are in a channel, so the file has no effect. Files
made in bulk often name releases that were never published. Sometimes the version has a
typo, and the intended release has no risk.

This rule ignores declarations that come before their release is enabled.",
    bad: "\
blocked-edges/4.14.47-ExampleRisk.yaml     to: 4.14.47
channels/candidate-4.14.yaml               4.14.46, 4.14.48",
    good: "\
blocked-edges/4.14.46-ExampleRisk.yaml     to: 4.14.46
blocked-edges/4.14.48-ExampleRisk.yaml     to: 4.14.48",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let mut unserved: BTreeMap<&Version, Vec<&BlockedEdge>> = BTreeMap::new();
    for edge in &data.blocked_edges {
        let Some(target) = &edge.target else { continue };
        if edge.release.is_none() && has_later_release(data, target) {
            unserved.entry(target).or_default().push(edge);
        }
    }
    let tombstones = tombstones_by_version(data);
    for (target, edges) in unserved {
        let Some(first) = edges[0].to.as_ref() else { continue };
        let tombstone = tombstones.get(target);
        let why = if tombstone.is_some() { "it is a tombstone" } else { "it is in no channel" };
        let message = format!(
            "`{}` is never served ({why}), so this file has no effect",
            shortened(&first.value)
        );
        let mut finding = Finding::at(&RULE, first.span, message)
            .grouped(format!("{target} {}", subjects(edges.iter().copied())))
            .help("delete the file, or correct `to` if you meant another release");
        for edge in &edges[1..] {
            let to = edge.to.as_ref().map(|to| to.span);
            finding = to
                .into_iter()
                .fold(finding, |f, span| f.copy(span, "this file also has no effect"));
        }
        if let Some(tombstone) = tombstone {
            finding = finding.related(tombstone.text.span, "the tombstone");
        }
        findings.push(finding);
    }
}

/// Whether channels have later releases of the minor.
fn has_later_release(data: &GraphData, target: &Version) -> bool {
    let newest = data.releases.of_minor(Minor::of(target)).next_back();
    let is_newer = |id| data.releases.get(id).version.cmp_precedence(target).is_gt();
    newest.is_some_and(is_newer)
}
