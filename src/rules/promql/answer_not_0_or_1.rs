//! A query that can return a number other than 0 and 1.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP612",
    name: "answer-not-0-or-1",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that counts, or can return a number other than 0 and 1",
    explanation: "\
Clusters accept only 0 (not affected) and 1 (affected). Any other number is an error,
and the risk stays *Unknown*. A count of two nodes is 2, and the sum of two ones is
also 2. This rule ignores `-1 * group(…)`, which means Unknown on purpose.",
    bad: "count(kube_node_labels{_id=\"\",label_kubernetes_io_arch=\"s390x\"}) or 0 * group(kube_node_labels{_id=\"\"})",
    good: "group(kube_node_labels{_id=\"\",label_kubernetes_io_arch=\"s390x\"}) or 0 * group(kube_node_labels{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, answer| {
        let root = query.root();
        let Some(values) = answer.shape.as_ref().map(|shape| &shape.values) else {
            return Vec::new();
        };
        let other = match values {
            Values::Tally { .. } => "a count".to_owned(),
            Values::Only(list) => match list.iter().find(|v| ![-1.0, 0.0, 1.0].contains(*v)) {
                Some(other) => format!("{other}"),
                None => return Vec::new(),
            },
            Values::Any => return Vec::new(),
        };
        vec![QueryFault {
            range: query.node(root).range.clone(),
            message: format!("this can return {other}, but clusters accept only 0 and 1: the risk then stays Unknown"),
            help: "`group(…)` returns 1 for any number of series, and `max(…)` returns the greatest value; a comparison with `bool` returns 0 or 1".into(),
            ..QueryFault::default()
        }]
    });
}
