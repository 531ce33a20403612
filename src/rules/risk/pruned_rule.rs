//! A rule of no known type beside one that clusters know.

use crate::schema::Fault;

use super::unknown_rule_type::{finding, has_a_known_type, is_unknown_type};
use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP206",
    name: "pruned-rule",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a rule whose type clusters do not know, beside one that they do",
    explanation: "\
Clusters leave out rules of a type they do not know and go by the others. The risk
still works, but not as it reads.",
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
    if !is_unknown_type(subject, fault) || !has_a_known_type(subject) {
        return None;
    }
    Some(finding(&RULE, subject, fault, "clusters leave this rule out and go by the others"))
}
