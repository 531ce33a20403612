//! A declaration for a release that is in no channel, and is not one of the next.

use std::collections::BTreeMap;

use crate::domain::Version;
use crate::graph_data::{BlockedEdge, GraphData};
use crate::rules::shared::words::subjects;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP119",
    name: "unknown-target",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `to` that no channel has, and that is not one of the next releases",
    explanation: "\
No channel has the release, and it is not one of the next releases of its minor or the
next minor. Usually two digits changed places, or one was typed twice. The file has no
effect, and the release that was meant is offered to all clusters.

A declaration can come before its release is enabled, up to three patches ahead.",
    bad: "\
to: 4.41.3
channels/candidate-4.14.yaml     4.14.2, 4.14.3",
    good: "\
to: 4.14.3
channels/candidate-4.14.yaml     4.14.2, 4.14.3",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let mut unknown: BTreeMap<&Version, Vec<&BlockedEdge>> = BTreeMap::new();
    for edge in &data.blocked_edges {
        let target = edge.target.as_ref().filter(|target| data.releases.is_beyond(target));
        if let Some(target) = target {
            unknown.entry(target).or_default().push(edge);
        }
    }
    for (target, edges) in unknown {
        let mut places = edges.iter().filter_map(|edge| edge.to.as_ref());
        let Some(first) = places.next() else { continue };
        let message = format!(
            "no channel has `{}`, and it is not one of the next releases, so this file has no effect",
            shortened(&first.value)
        );
        let about = format!("{target} {}", subjects(edges.iter().copied()));
        let finding = Finding::at(&RULE, first.span, message).grouped(about);
        let finding = match data.releases.nearest(target) {
            Some(meant) => finding.help(format!("did you mean {meant}?")),
            None => finding,
        };
        findings
            .push(places.fold(finding, |finding, to| {
                finding.copy(to.span, "this file also has no effect")
            }));
    }
}
