//! A rule that clusters never evaluate.

use crate::domain::{Named, RuleKind};
use crate::graph_data::{Affected, GraphData, Text};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP207",
    name: "rule-after-always",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a rule after `Always`, which clusters never evaluate",
    explanation: "\
Clusters evaluate the rules of a risk in order and stop at the first answer. `Always`
always answers, so clusters never reach the rules after it. As the last rule, it is a
fallback for clusters that cannot evaluate the queries before it.",
    bad:
        "\
matchingRules:
- type: Always
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    good: "\
matchingRules:
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})
- type: Always",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for edge in &data.blocked_edges {
        let Affected::MatchingRules(rules) = &edge.affected else { continue };
        let is_always = |kind: &&Text| kind.value == *RuleKind::Always.name();
        let kinds: Vec<&Text> = rules
            .iter()
            // With a query, `Always` is invalid, and clusters use the next rule.
            .filter(|rule| rule.query.is_none() || rule.known_kind() != Some(RuleKind::Always))
            .filter_map(|rule| rule.kind.as_ref())
            .collect();
        let Some(always) = kinds.iter().position(is_always) else { continue };
        // `repeated-rule-type` reports a second `Always`.
        let Some(dead) = kinds[always + 1..].iter().find(|kind| !is_always(kind)) else {
            continue;
        };
        findings.push(
            Finding::at(
                &RULE,
                dead.span,
                "clusters never evaluate this rule: the `Always` before it answers for all clusters",
            )
            .related(kinds[always].span, "`Always` is here")
            .help("put `Always` last, as a fallback, or delete one of the two"),
        );
    }
}
