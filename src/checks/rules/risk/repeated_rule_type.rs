//! Two rules of one type in a risk.

use crate::domain::{Named, RuleKind};
use crate::graph_data::{Affected, GraphData};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, repeated};

pub(super) static RULE: Rule = Rule {
    code: "EP208",
    name: "repeated-rule-type",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "two rules of the same type in one risk",
    explanation: "\
Rules are alternatives in order of preference: clusters evaluate a later rule only if
the rules before it give no answer. Two `PromQL` rules are not joined with `or`:
clusters evaluate the second only if the first fails. The repository's presubmit allows
each type once.",
    bad: "\
matchingRules:
- type: PromQL
  promql:
    promql: group(a_metric)
- type: PromQL
  promql:
    promql: group(b_metric)",
    good: "\
matchingRules:
- type: PromQL
  promql:
    promql: group(a_metric) or group(b_metric)",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for edge in &data.blocked_edges {
        let Affected::MatchingRules(rules) = &edge.affected else { continue };
        // Skip the comparison for the many risks with one rule.
        if rules.len() < 2 {
            continue;
        }
        let known = rules.iter().filter_map(|rule| rule.known_kind().zip(rule.kind.as_ref()));
        for group in repeated(known) {
            let message = if group[1].value == *RuleKind::Always.name() {
                "clusters never evaluate a second `Always`"
            } else {
                "clusters evaluate a second `PromQL` rule only if the first gives no answer"
            };
            findings.push(
                Finding::at(&RULE, group[1].span, message)
                    .related(group[0].span, "the first is here")
                    .help("join the queries into one, or delete one rule"),
            );
        }
    }
}
