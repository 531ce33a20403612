//! A risk without a rule of a known type.

use super::shared::{is_of_unknown_type, risk_has_known_type, unknown_type_finding};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::Fault;

pub(super) static RULE: Rule = Rule {
    code: "EP205",
    name: "unknown-rule-type",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "a rule of a type that clusters do not know, with no other rule to use instead",
    explanation: "\
Clusters know the types `Always` and `PromQL`, with exactly this spelling, and skip
rules of any other type. If no rule is left, they drop the update, and also an
unconditional edge to the same release. All clusters lose the update silently.",
    bad:
        "\
matchingRules:
- type: promql
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    good:
        "\
matchingRules:
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if !is_of_unknown_type(subject, fault) || risk_has_known_type(subject) {
        return None;
    }
    let effect =
        "this risk has no rule that clusters know, so all clusters drop the update silently";
    Some(unknown_type_finding(&RULE, subject, fault, effect))
}
