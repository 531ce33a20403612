//! What several rules about risks need.

mod messages;

pub(super) use messages::{Message, messages};

use crate::domain::{Named, RuleKind};
use crate::graph_data::{Affected, BlockedEdge};
use crate::rules::{Finding, Rule, Subject, shortened};
use crate::schema::{Fault, Problem};
use crate::text::closest;

/// Whether a fault is a rule type that clusters do not know, or a rule without a type.
pub(super) fn is_of_unknown_type(subject: &Subject<'_>, fault: &Fault) -> bool {
    match &fault.problem {
        // `wrong-type` reports a list or mapping.
        Problem::NotOneOf => {
            let document = subject.document();
            fault.part == "ruleType" && document.is_some_and(|d| d.text(fault.node).is_some())
        }
        Problem::MissingKeys { keys, .. } => fault.part == "rule" && keys[0] == "type",
        _ => false,
    }
}

/// Whether some rule of the file's risk has a type that clusters know.
pub(super) fn risk_has_known_type(subject: &Subject<'_>) -> bool {
    let known = |edge: &BlockedEdge| match &edge.affected {
        Affected::MatchingRules(rules) => rules.iter().any(|rule| rule.known_kind().is_some()),
        _ => false,
    };
    subject.data.blocked_edges.iter().any(|edge| edge.file == subject.file.id && known(edge))
}

/// The finding for a rule whose type makes clusters skip it. `effect` is the consequence.
pub(super) fn unknown_type_finding(
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
    let message = format!("`{}`{around} is not a rule type: {effect}", shortened(written));
    let found = Finding::at(rule, span, message);
    match closest(written, RuleKind::names()) {
        Some(meant) => {
            subject.renaming(found.help(format!("did you mean `{meant}`?")), fault.node, meant)
        }
        None => found.help("the types are `Always` and `PromQL`"),
    }
}
