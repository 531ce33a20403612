//! A risk without rules.

use crate::rules::shared::words::effect_of_bad_value;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP204",
    name: "empty-matching-rules",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "`matchingRules` without any rules",
    explanation: "\
A risk without rules does not mean \"nobody is affected\". Clusters drop an update
that has such a risk, and also an unconditional edge to the same release. All clusters
lose the update silently.",
    bad: "matchingRules: []",
    good: "\
matchingRules:
- type: Always",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let absent = subject.document()?.kind(fault.node) == ValueKind::Null;
    let empty = fault.problem == Problem::Empty || fault.problem == Problem::Type && absent;
    if fault.part != "matchingRules" || !empty {
        return None;
    }
    let span = subject.visible_span(fault.node, &fault.pointer);
    let written = subject.quoted(fault.node);
    let message = match written.as_str() {
        "" => "`matchingRules` has no rules, so all clusters drop the update silently".to_owned(),
        // The service's parser reads an absent value as an empty list, but not a written null.
        _ => format!(
            "`matchingRules` is `{written}`, {}",
            effect_of_bad_value(subject.file.kind, "")
        ),
    };
    let finding = Finding::at(&RULE, span, message);
    Some(finding.help(
        "write `- type: Always` if all clusters are affected, or `- type: PromQL` with a query if some are",
    ))
}
