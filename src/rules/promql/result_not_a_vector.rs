//! A query whose result is no instant vector.

use crate::graph_data::GraphData;
use crate::promql::Type;

use super::query::{Fault, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP602",
    name: "result-not-a-vector",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query whose result is a scalar, a string or a range",
    explanation: "\
Clusters take an instant vector of one sample and nothing else: even the number 1
is an error to them. The risk stays *Unknown* everywhere, and its updates are
recommended to nobody.",
    bad: "scalar(max(cluster_proxy_enabled{_id=\"\",type=\"http\"}))",
    good: "max(cluster_proxy_enabled{_id=\"\",type=\"http\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    review(&RULE, data, findings, |_, query, _| {
        let root = query.node(query.root());
        let help = match root.kind {
            Type::Vector => return Vec::new(),
            Type::Scalar => "`vector(…)` makes a vector of a number",
            Type::Range => "put a function such as `max_over_time(…)` around it",
            Type::Text => "write a query that answers 1 or 0",
        };
        vec![Fault {
            range: root.range.clone(),
            message: format!(
                "the result is {}, and clusters take nothing but an instant vector: the risk stays Unknown for all, and the update is recommended to none",
                root.kind.name()
            ),
            help: help.into(),
            ..Fault::default()
        }]
    });
}
