//! A conditional edge to or from a version without a node.

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP707",
    name: "unknown-node",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a conditional edge to or from a version without a node",
    explanation: "\
A cluster looks for the node of each conditional update from its own version. If one
is missing, the cluster rejects the whole response
(`ResponseInvalid: no node for conditional update`) and has no updates at all. An edge
from a version without a node affects no cluster and has no use.",
    bad: "{\"from\": \"4.14.1\", \"to\": \"4.14.22\"}    (and no node `4.14.22`)",
    good: "{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let (mut targets, mut origins) = (Tally::default(), Tally::default());
    for conditional in &subject.conditional {
        let edge = conditional.edge;
        if conditional.from.is_none() {
            origins.add(edge.from.span, || format!("`{}`", shortened(&edge.from.value)));
        } else if conditional.to.is_none() {
            targets.add(edge.to.span, || conditional.arrow());
        }
    }
    let targets = targets.finding(&RULE, |arrow| {
        format!("{arrow} leads to a version without a node: clusters at its origin reject the whole response and have no updates at all")
    });
    findings.extend(targets.map(|finding| finding.help("add the node, or remove the edge")));
    let origins = origins.finding(&RULE, |version| {
        format!(
            "a conditional edge leads from {version}, which has no node: no cluster ever sees it"
        )
    });
    findings.extend(origins.map(|finding| {
        finding.severity(Severity::Info).help("remove the edge, or fix its `from`")
    }));
}
