//! One risk declared twice for one target.

use crate::graph_data::GraphData;

use super::{Check, Family, Finding, Rule, Severity, repeated};

pub(super) static RULE: Rule = Rule {
    code: "EP213",
    name: "duplicate-risk",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Error,
    summary: "the same risk declared by two files for one target",
    explanation: "\
The service does not join them: an update that both files hit is served with the
same risk twice. The Kubernetes API refuses a status with two risks of one name in
an update, so clusters fail to store their list of updates, and keep an old one.",
    bad: "\
blocked-edges/4.14.3-ExampleRisk.yaml          to: 4.14.3   name: ExampleRisk
blocked-edges/4.14.3-ExampleRisk-more.yaml     to: 4.14.3   name: ExampleRisk",
    good: "\
blocked-edges/4.14.3-ExampleRisk.yaml          to: 4.14.3   name: ExampleRisk",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let risks = data.blocked_edges.iter().filter_map(|edge| {
        let (to, name) = (edge.to.as_ref()?, edge.name.as_ref()?);
        Some(((to.value.as_str(), name.value.as_str()), name))
    });
    for group in repeated(risks) {
        for later in &group[1..] {
            let first = data.path(group[0].span.source);
            findings.push(
                Finding::at(
                    &RULE,
                    later.span,
                    format!("another file declares `{}` for the same target, and updates that both hit bear the risk twice, which clusters cannot store", later.value),
                )
                .related(group[0].span, "it is declared here first")
                .help(format!("join the two `from` patterns with `|` in `{first}`, and delete this file")),
            );
        }
    }
}
