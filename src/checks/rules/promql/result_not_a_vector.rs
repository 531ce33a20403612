//! A query whose result is not an instant vector.

use crate::graph_data::GraphData;
use crate::promql::Type;

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP602",
    name: "result-not-a-vector",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query whose result is a scalar, a string, or a range",
    explanation: "\
Clusters accept only an instant vector with one sample. Even the number 1 is an error.
The risk stays *Unknown* everywhere, and its updates are not recommended to any
cluster.",
    bad: "scalar(max(cluster_proxy_enabled{_id=\"\",type=\"http\"}))",
    good: "max(cluster_proxy_enabled{_id=\"\",type=\"http\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let root = query.node(query.root());
        let help = match root.kind {
            Type::Vector => return Vec::new(),
            Type::Scalar => "use `vector(…)` to turn a number into a vector",
            Type::Range => "wrap it in a function such as `max_over_time(…)`",
            Type::Text => "write a query that returns 1 or 0",
        };
        vec![QueryFault {
            range: root.range.clone(),
            message: format!(
                "the result is {}, but clusters accept only an instant vector: the risk stays Unknown in all clusters, and the update is not recommended to any of them",
                root.kind.name()
            ),
            help: help.into(),
            ..QueryFault::default()
        }]
    });
}
