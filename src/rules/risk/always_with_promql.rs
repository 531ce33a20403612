//! `Always` with a query, which clusters refuse.

use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP210",
    name: "always-with-promql",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Error,
    summary: "an `Always` rule with a `promql` key, which clusters refuse",
    explanation: "\
`Always` takes no query, not even an empty one: clusters call such a rule invalid
and leave it out. With no other rule they drop the update for everyone.",
    bad:
        "\
- type: Always
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(csv_count{_id=\"\"})",
    good:
        "\
- type: PromQL
  promql:
    promql: group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}) or 0 * group(csv_count{_id=\"\"})",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.problem != Problem::NotAllowedHere {
        return None;
    }
    let (parent, key) = fault.pointer.rsplit_once('/')?;
    let document = subject.document()?;
    let entry = document.entry(document.at_pointer(parent)?, key)?;
    let message = "an `Always` rule may have no `promql`: clusters leave it out, and with no other rule they drop the update";
    let finding = Finding::at(&RULE, subject.span(entry.key), message);
    Some(
        finding
            .help("make the type `PromQL` if the query decides, delete the query if it does not"),
    )
}
