//! A risk without a rule of a known type.

use crate::domain::{Named, RuleKind};
use crate::graph_data::{Affected, BlockedEdge};
use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::text::closest;

pub(super) static RULE: Rule = Rule {
    code: "EP205",
    name: "unknown-rule-type",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Error,
    summary: "a rule of a type that clusters do not know, with no other rule to use instead",
    explanation: "\
Clusters know the types `Always` and `PromQL`, with exactly this spelling, and skip
rules of any other type. If no rule is left, they drop the update and also its
unconditional twin. The update disappears for everyone, without an explanation.",
    bad:
        "\
matchingRules:
- type: promql
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(csv_count{_id=\"\"})",
    good:
        "\
matchingRules:
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(csv_count{_id=\"\"})",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if !is_unknown_type(subject, fault) || has_a_known_type(subject) {
        return None;
    }
    let effect = "clusters skip this rule, and with no other rule they drop the update silently";
    Some(finding(&RULE, subject, fault, effect))
}

pub(super) fn is_unknown_type(subject: &Subject<'_>, fault: &Fault) -> bool {
    match &fault.problem {
        // A list or mapping is of the wrong type altogether.
        Problem::NotOneOf => {
            let document = subject.document();
            fault.part == "ruleType" && document.is_some_and(|d| d.text(fault.node).is_some())
        }
        Problem::MissingKeys { keys, .. } => fault.part == "rule" && keys[0] == "type",
        _ => false,
    }
}

/// Whether some rule of the risk is of a type that clusters know.
pub(super) fn has_a_known_type(subject: &Subject<'_>) -> bool {
    let known = |edge: &BlockedEdge| match &edge.affected {
        Affected::MatchingRules(rules) => rules.iter().any(|rule| rule.known_kind().is_some()),
        _ => false,
    };
    subject.data.blocked_edges.iter().any(|edge| edge.file == subject.file.id && known(edge))
}

pub(super) fn finding(
    rule: &'static Rule,
    subject: &Subject<'_>,
    fault: &Fault,
    effect: &str,
) -> Finding {
    let document = subject.document();
    if let Problem::MissingKeys { lookalike, .. } = &fault.problem {
        let first = document.and_then(|d| d.entries(fault.node).first().map(|entry| entry.key));
        let key = lookalike.or(first).unwrap_or(fault.node);
        let found =
            Finding::at(rule, subject.span(key), format!("this rule has no `type`: {effect}"));
        return match lookalike {
            Some(written) => subject.renaming(found.help("did you mean `type`?"), *written, "type"),
            None => found.help("add `type: Always` or `type: PromQL`"),
        };
    }
    let written = document.and_then(|d| d.text(fault.node)).unwrap_or_default();
    let span = subject.visible_span(fault.node, &fault.pointer);
    let around = if written.trim() == written { "" } else { " (with the whitespace around it)" };
    let message =
        format!("`{}`{around} is not a rule type: {effect}", crate::rules::shortened(written));
    let found = Finding::at(rule, span, message);
    match closest(written, RuleKind::names()) {
        Some(meant) => {
            subject.renaming(found.help(format!("did you mean `{meant}`?")), fault.node, meant)
        }
        None => found.help("the types are `Always` and `PromQL`"),
    }
}
