//! A rule of an unknown type next to one that clusters know.

use crate::schema::Fault;

use super::shared::{is_of_unknown_type, risk_has_known_type, unknown_type_finding};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP206",
    name: "pruned-rule",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a rule of a type that clusters do not know, next to one that they know",
    explanation: "\
Clusters skip rules of a type that they do not know, and use the others. The risk still
works, but not as written.",
    bad: "\
matchingRules:
- type: Telemetry
- type: Always",
    good: "\
matchingRules:
- type: Always",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if !is_of_unknown_type(subject, fault) || !risk_has_known_type(subject) {
        return None;
    }
    Some(unknown_type_finding(&RULE, subject, fault, "clusters skip this rule and use the others"))
}
