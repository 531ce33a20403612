//! An edge to an older release.

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP712",
    name: "downgrade",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "an edge from a release to an older one",
    explanation: "\
Clusters offer all updates in the graph and do not check their direction. An update to
an older release is not supported: the cluster cannot undo the migrations of the newer
release, and may not start again.",
    bad: "{\"from\": \"4.14.2\", \"to\": \"4.14.1\"}",
    good: "{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let mut back = Tally::default();
    for update in subject.updates() {
        // Build metadata does not make a release older or newer.
        if subject.ends(update).is_some_and(|(from, to)| to.cmp_precedence(from).is_lt()) {
            back.add(update.span, || subject.arrow(update));
        }
    }
    let finding = back.finding(&RULE, |arrow| {
        format!("{arrow} leads to an older release, which is not supported")
    });
    findings.extend(finding.map(|finding| finding.help("remove the edge, or reverse it")));
}
