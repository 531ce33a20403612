//! A risk without a rule that clusters know.

use crate::domain::{Named, RuleKind};
use crate::graph::cincinnati::{GroupForm, PlacedRisk, PlacedRule};

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP716",
    name: "dropped-target",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a risk without a valid rule: clusters drop all updates that have it",
    explanation: "\
A cluster removes the rules that it does not know: a type other than `Always` and
`PromQL`, `Always` with a `promql`, or `PromQL` without a query. If a risk has no rule
left, the cluster drops the updates that have the risk. It also drops an unconditional
edge to the same release. Only the log of the cluster-version operator reports this.",
    bad: "\"matchingRules\": [{\"type\": \"promql\", \"promql\": {\"promql\": \"vector(1)\"}}]",
    good: "\"matchingRules\": [{\"type\": \"PromQL\", \"promql\": {\"promql\": \"vector(1)\"}}]",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let mut dropped = Tally::default();
    for group in subject.graph.groups() {
        if group.form != GroupForm::EdgesAndRisks || group.edges.is_empty() {
            continue;
        }
        for risk in group.risks.iter().filter(|risk| !risk.rules.iter().any(is_valid)) {
            dropped.add(risk.span, || named(risk, group.edges.len()));
        }
    }
    let finding = dropped.finding(&RULE, |risk| {
        format!("{risk} has no rule that clusters know: they drop all updates that have it, and also unconditional edges to the same releases")
    });
    let help = "write `type: Always` alone, or `type: PromQL` with a query in `promql.promql`";
    findings.extend(finding.map(|finding| finding.help(help)));
}

fn named(risk: &PlacedRisk, updates: usize) -> String {
    let name = risk.name.as_ref().map_or("", |name| &name.value);
    let updates = if updates == 1 { "one update".to_owned() } else { format!("{updates} updates") };
    format!("the risk `{}` of {updates}", shortened(name))
}

fn is_valid(rule: &PlacedRule) -> bool {
    let kind = rule.kind.as_ref().and_then(|kind| RuleKind::named(&kind.value));
    // A `promql` rule without a query also counts as known.
    let text = rule.query.as_ref().map_or("", |query| &query.value);
    kind.is_some_and(|kind| kind.fits(rule.promql.map(|_| text)))
}
