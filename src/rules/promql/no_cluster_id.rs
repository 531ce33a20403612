//! A query without `_id=""`.

use crate::graph_data::{GraphData, Reading};
use crate::promql::{CLUSTER_ID, Expr, MatchOp, Query, Selector};

use super::query::{Fault, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP613",
    name: "no-cluster-id",
    aliases: &[],
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
    review(&RULE, data, findings, |reading, query, _| {
        let (with, without) = selectors(reading, query);
        match without.into_iter().next() {
            Some(first) if with == 0 => vec![Fault {
                message: "without `_id=\"\"`, this sees the metrics of all clusters in a hosted control plane".into(),
                help: "write `_id=\"\"` between the braces of each selector".into(),
                ..first
            }],
            _ => Vec::new(),
        }
    });
}

/// How many selectors say whose metrics they mean, and those that do not.
pub(super) fn selectors(reading: &Reading, query: &Query) -> (usize, Vec<Fault>) {
    let mut with = 0;
    let mut without = Vec::new();
    for (_, node) in query.nodes() {
        let Expr::Selector(selector) = &node.expr else { continue };
        if names_cluster(reading, selector) {
            with += 1;
        } else {
            without.push(Fault { range: node.range.clone(), ..Fault::default() });
        }
    }
    (with, without)
}

/// It is replaced as text: another notation of the same matcher is not.
fn names_cluster(reading: &Reading, selector: &Selector) -> bool {
    selector.matchers.iter().any(|matcher| {
        let written = reading.text.get(matcher.range.clone()).unwrap_or_default();
        matcher.label.value == CLUSTER_ID
            && (matcher.op != MatchOp::Equal
                || !matcher.value.value.is_empty()
                || written == "_id=\"\"")
    })
}
