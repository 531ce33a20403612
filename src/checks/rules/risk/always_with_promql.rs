//! `Always` with a query, which clusters reject.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP210",
    name: "always-with-promql",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "an `Always` rule with a `promql` key, which clusters reject",
    explanation: "\
An `Always` rule must not have a query, not even an empty one. Clusters treat such a
rule as invalid and skip it. If it is the only rule, they drop the update silently.",
    bad:
        "\
- type: Always
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    good:
        "\
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.problem != Problem::NotAllowedHere {
        return None;
    }
    let (parent, key) = fault.pointer.rsplit_once('/')?;
    let document = subject.document()?;
    let entry = document.entry(document.at_pointer(parent), key)?;
    let message = "an `Always` rule must not have `promql`: clusters skip this rule. If it is the only rule, they drop the update silently";
    let finding = Finding::at(&RULE, subject.span(entry.key), message);
    Some(
        finding
            .help("change the type to `PromQL` if the query decides who is affected; otherwise delete the query"),
    )
}
