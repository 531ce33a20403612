//! A pair of releases that is in `edges` and also has a conditional edge.

use crate::domain::HashMap;
use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP714",
    name: "edge-beside-conditional",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Warning,
    summary: "a pair of releases that is in both `edges` and `conditionalEdges`",
    explanation: "\
Clusters prefer the conditional edge. They remove the other edge before they know
whether they can use the conditional one. Clusters before 4.10 do not know conditional
edges, and are offered the update without its risks.",
    bad: "\
\"edges\": [[0, 1]],
\"conditionalEdges\": [{\"edges\": [{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}], …}]",
    good: "\
\"edges\": [],
\"conditionalEdges\": [{\"edges\": [{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}], …}]",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let conditional = subject.conditional.iter().rev();
    let conditional = conditional.filter_map(|c| Some(((c.from?, c.to?), c.edge.span)));
    let conditional: HashMap<_, _> = conditional.collect();
    let mut both = Tally::default();
    let mut first = None;
    for update in subject.open() {
        if let Some(other) = conditional.get(&(update.from, update.to)) {
            first = first.or(Some(*other));
            both.add(update.span, || subject.arrow(update));
        }
    }
    let finding = both.finding(&RULE, |arrow| {
        format!(
            "{arrow} is also conditional: clusters before 4.10 are offered it without the risks"
        )
    });
    findings.extend(finding.zip(first).map(|(finding, first)| {
        finding.related(first, "the conditional edge is here").help("remove it from `edges`")
    }));
}
