//! A matcher on a label that its metric does not have.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, MatchOp, Selector};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP606",
    name: "unknown-label",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a matcher on the label `name`, which metrics of Kubernetes objects do not have",
    explanation: "\
Metrics of Kubernetes objects, such as `kube_secret_info`, hold the object's name in a
label that is named after its kind: `secret`, `node`, `pod`. No series has the label
`name`, so the selector is empty, and the query uses its fallback in all clusters.",
    bad: "group(kube_secret_info{_id=\"\",namespace=\"example\",name=\"credentials\"})",
    good: "group(kube_secret_info{_id=\"\",namespace=\"example\",secret=\"credentials\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(selector),
            _ => None,
        });
        selectors.filter_map(fault).collect()
    });
}

fn fault(selector: &Selector) -> Option<QueryFault> {
    let metric = selector.metric()?;
    let label = promql::label_for_name(metric)?;
    let matcher = selector.matchers.iter().find(|matcher| matcher.label.value == "name")?;
    let effect = match matcher.op {
        MatchOp::Equal | MatchOp::Regex => "so this selects nothing in any cluster",
        MatchOp::NotEqual | MatchOp::NotRegex => "so this excludes nothing in any cluster",
    };
    Some(QueryFault {
        range: matcher.range.clone(),
        message: format!("`{metric}` has no label `name`, {effect}"),
        help: format!("the object's name is in the label `{label}`"),
        ..QueryFault::default()
    })
}
