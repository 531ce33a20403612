//! A release with an update to itself.

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP710",
    name: "self-edge",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "an edge from a release to itself",
    explanation: "\
This usually comes from a release that lists itself among its previous releases. The
service treats it as a cycle and rejects the whole graph. A cluster would be offered
the release that it already runs. For conditional edges, this is a warning: they are
not checked for cycles.",
    bad: "\"edges\": [[0, 0]]",
    good: "\"edges\": [[0, 1]]",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let (mut open, mut conditional) = (Tally::default(), Tally::default());
    for update in subject.open().filter(|update| update.from == update.to) {
        open.add(update.span, || subject.name(update.from));
    }
    for update in subject.conditional.iter().filter(|c| c.edge.from.value == c.edge.to.value) {
        conditional.add(update.edge.span, || update.arrow());
    }
    let open = open.finding(&RULE, |release| {
        format!("{release} has an update to itself: the service rejects the whole graph")
    });
    let conditional = conditional.finding(&RULE, |arrow| {
        format!("{arrow} is an update to the same release: clusters are offered the release that they already run")
    });
    let conditional = conditional.map(|finding| finding.severity(Severity::Warning));
    findings.extend(open.into_iter().chain(conditional).map(|f| f.help("remove the edge")));
}
