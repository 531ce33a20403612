//! A query without `_id=""`.

use crate::graph_data::GraphData;

use super::shared::{QueryFault, check_queries, selectors_by_cluster_id};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP613",
    name: "no-cluster-id",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Info,
    summary: "a query without `_id=\"\"`",
    explanation: "\
In hosted control planes, one Prometheus holds the metrics of many clusters. There,
the text `_id=\"\"` is replaced with the cluster's own id before the query runs.
Elsewhere, the text matches unchanged. A query without it sees the metrics of all
clusters at once and returns a result for the wrong cluster.",
    bad: "group(cluster_operator_conditions{name=\"example\"})",
    good: "group(cluster_operator_conditions{_id=\"\",name=\"example\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |reading, query, _| {
        let (with, without) = selectors_by_cluster_id(reading, query);
        match without.into_iter().next() {
            Some(first) if with == 0 => vec![QueryFault {
                message: "without `_id=\"\"`, this sees the metrics of all clusters in a hosted control plane".into(),
                help: "write `_id=\"\"` between the braces of each selector".into(),
                ..first
            }],
            _ => Vec::new(),
        }
    });
}
