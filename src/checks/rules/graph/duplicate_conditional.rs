//! A pair of releases with two conditional edges.

use crate::domain::{FastHash, HashMap};
use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP715",
    name: "duplicate-conditional",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a pair of releases with two conditional entries: clusters drop the update",
    explanation: "\
A cluster that finds two conditional updates to one release does not know which risks
apply, and drops both. By then, it has already removed an unconditional edge to the
same release, so the update silently disappears. All risks of an update belong in one
group.",
    bad: "\
[{\"edges\": [{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}], \"risks\": [A]},
 {\"edges\": [{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}], \"risks\": [B]}]",
    good: "[{\"edges\": [{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}], \"risks\": [A, B]}]",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let mut seen =
        HashMap::with_capacity_and_hasher(subject.conditional.len(), FastHash::default());
    let mut again = Tally::default();
    let mut first = None;
    for conditional in &subject.conditional {
        let edge = conditional.edge;
        let pair = (edge.from.value.as_str(), edge.to.value.as_str());
        let earlier = *seen.entry(pair).or_insert(edge.span);
        if earlier != edge.span {
            first = first.or(Some(earlier));
            again.add(edge.span, || conditional.arrow());
        }
    }
    let finding = again.finding(&RULE, |arrow| {
        format!("{arrow} has two conditional entries: clusters drop both, and also any unconditional edge")
    });
    findings.extend(finding.zip(first).map(|(finding, first)| {
        finding
            .related(first, "the first entry is here")
            .help("put the risks of both entries into one group that has this edge")
    }));
}
