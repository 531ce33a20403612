//! Conditional edges in the format of the enhancement's first draft.

use crate::graph::cincinnati::GroupForm;

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP703",
    name: "draft-qualifiers",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a conditional edge in the first draft's format, with `qualifiers`: no cluster sees it",
    explanation: "\
The first draft of the enhancement has one object for each conditional edge, with
`from`, `to`, and `qualifiers`. The merged version has groups: `edges`, and the `risks`
that they share. exitpath understands both. Clusters find no `edges` in the draft
format and skip it silently. The service refuses it.",
    bad: "\
{\"from\": \"4.14.1\", \"to\": \"4.14.2\",
 \"qualifiers\": [{\"url\": \"https://issues.example.com/browse/BUG-1\"}]}",
    good: "\
{\"edges\": [{\"from\": \"4.14.1\", \"to\": \"4.14.2\"}],
 \"risks\": [{\"url\": \"https://issues.example.com/browse/BUG-1\", \"name\": \"ExampleRisk\",
            \"message\": \"Nodes may not come back.\", \"matchingRules\": [{\"type\": \"Always\"}]}]}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let mut drafts = Tally::default();
    for conditional in &subject.conditional {
        if conditional.group.form == GroupForm::Qualifiers {
            drafts.add(conditional.edge.span, || conditional.arrow());
        }
    }
    let finding = drafts.finding(&RULE, |arrow| {
        format!("{arrow} uses the format of the first draft, so no cluster sees this update")
    });
    let help =
        "write `edges` and `risks`, and give each risk a `name`, a `message`, and `matchingRules`";
    findings.extend(finding.map(|finding| finding.help(help)));
}
