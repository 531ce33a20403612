//! A PromQL rule without a query.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::{NodeId, ValueKind};

pub(super) static RULE: Rule = Rule {
    code: "EP209",
    name: "empty-promql",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "a `PromQL` rule whose query is missing, misspelled, or empty",
    explanation: "\
The query must be under `promql.promql`. If either key is misspelled, the service finds
no query and reports nothing. Clusters then skip the rule. If it is the only
rule, they drop the update silently.",
    bad:
        "\
- type: PromQL
  PromQL:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    good:
        "\
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let document = subject.document()?;
    let absent = document.kind(fault.node) == ValueKind::Null;
    match (fault.part.as_str(), &fault.problem) {
        ("rule" | "promql", Problem::MissingKeys { keys, lookalike }) if keys[0] == "promql" => {
            Some(missing(subject, fault, *lookalike))
        }
        ("query", Problem::Empty | Problem::Pattern) => Some(empty(subject, fault)),
        ("query" | "promql", Problem::Type) if absent => Some(empty(subject, fault)),
        _ => None,
    }
}

const EFFECT: &str =
    "clusters skip this rule. If it is the only rule, they drop the update silently";

fn missing(subject: &Subject<'_>, fault: &Fault, lookalike: Option<NodeId>) -> Finding {
    if let Some(written) = lookalike {
        let text = subject.quoted(written);
        let message = format!("`{text}` is not `promql`, so this rule has no query: {EFFECT}");
        let finding = Finding::at(&RULE, subject.span(written), message);
        let finding = finding.help("did you mean `promql`?");
        // If the value is of the wrong kind, correcting the key would make the service drop the
        // whole file.
        let expected = if fault.part == "rule" { ValueKind::Mapping } else { ValueKind::Text };
        let fits = subject.document().is_some_and(|document| {
            let entry = document.entries(fault.node).iter().find(|entry| entry.key == written);
            entry.is_some_and(|entry| document.kind(entry.value) == expected)
        });
        return if fits { subject.renaming(finding, written, "promql") } else { finding };
    }
    let entries = subject.document().map_or(&[][..], |document| document.entries(fault.node));
    let span = match entries.first() {
        Some(first) => subject.span(first.key),
        None => subject.visible_span(fault.node, &fault.pointer),
    };
    Finding::at(&RULE, span, format!("this rule has no query: {EFFECT}"))
        .help("expected `promql.promql: <query>`; check the indentation")
}

fn empty(subject: &Subject<'_>, fault: &Fault) -> Finding {
    let span = subject.visible_span(fault.node, &fault.pointer);
    let text = subject.quoted(fault.node);
    if !text.is_empty() {
        let message =
            format!("the service reads the query as `{text}`, but other tools find no query");
        return Finding::at(&RULE, span, message).help("write the query, or use `type: Always`");
    }
    Finding::at(&RULE, span, format!("the query is empty: {EFFECT}")).help(
        "write a query that returns 1 for affected clusters and 0 for others, or use `type: Always`",
    )
}
