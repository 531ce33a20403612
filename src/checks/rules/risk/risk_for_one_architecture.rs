//! A risk whose target names an architecture.

use crate::domain::version::without_build;
use crate::graph_data::{Affected, GraphData};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP215",
    name: "risk-for-one-architecture",
    properties: Properties::OF_TEXTS_OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "a risk whose `to` names an architecture, which blocks the update for the others",
    explanation: "\
The service removes the updates that a risk matches on all architectures, regardless of
the architecture in `to`. It adds them back as conditional updates only for that one. On
the others, they disappear silently. Only blocks can be for one architecture.",
    bad: "to: 4.14.3+s390x",
    good: "to: 4.14.3",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for edge in &data.blocked_edges {
        let (Some(to), Some(target)) = (&edge.to, &edge.target) else { continue };
        if target.build.is_empty() || !matches!(edge.affected, Affected::MatchingRules(_)) {
            continue;
        }
        let message = format!(
            "`to` has an architecture, so clusters of other architectures lose the update to `{}`",
            without_build(target)
        );
        findings.push(Finding::at(&RULE, to.span, message).help(
            "remove the architecture; if only that one is affected, check for it in the risk's query",
        ));
    }
}
