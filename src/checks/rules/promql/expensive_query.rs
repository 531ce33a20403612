//! A query that is expensive for all clusters.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, MatchOp, Query, Selector, Subquery};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP616",
    name: "expensive-query",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query over days or over all metrics, or a subquery with thousands of steps",
    explanation: "\
All clusters that see the risk run the query again and again. They run it on a
Prometheus that also has to monitor its own cluster. Ranges of days and subqueries
with thousands of steps read all samples in between. A selector that names no metric, such as
`{__name__=~\".+\"}`, reads hundreds of thousands of series. A query that takes longer than
five minutes is an error, and the risk stays *Unknown*.",
    bad: "max(max_over_time(cluster_proxy_enabled{_id=\"\"}[14d]))",
    good: "max(max_over_time(cluster_proxy_enabled{_id=\"\"}[1h]))",
    check: Check::Declarations(check),
};

/// Ranges of more days are probably not intended.
const DAYS: f64 = 2.0;
/// Subqueries with more steps are reported. A graph of one day has fewer minutes.
const STEPS: f64 = 2_000.0;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| costs(query));
}

fn costs(query: &Query) -> Vec<QueryFault> {
    let fault = |range: &std::ops::Range<usize>, message: String, help: &str| QueryFault {
        range: range.clone(),
        message,
        help: help.into(),
        ..QueryFault::default()
    };
    let cost = |range: &std::ops::Range<usize>, expr: &Expr| match expr {
        Expr::Selector(selector) if reads_most_metrics(selector) => Some(fault(
            range,
            "this reads the series of nearly all metrics each time the query runs".to_owned(),
            "name the metric before the braces",
        )),
        Expr::Range(_, range) if range.value > DAYS * 86_400.0 => Some(fault(
            &range.range,
            format!(
                "this query reads {} days of samples each time it runs",
                (range.value / 8_640.0).round() / 10.0
            ),
            "use a range of 1 hour: that is enough after a restart. To look further back, use `offset`",
        )),
        Expr::Subquery(Subquery { reach, step, .. }) => {
            let steps = (reach.value / step.as_ref().map_or(30.0, |step| step.value)).floor();
            (steps > STEPS).then(|| fault(
                &reach.range,
                format!("this query evaluates the expression before this {steps} times each time it runs"),
                "shorten the range, or use a longer step",
            ))
        }
        _ => None,
    };
    query.nodes().filter_map(|(_, node)| cost(&node.range, &node.expr)).collect()
}

/// Whether a selector names no metric, or has a pattern of names that many metrics match.
fn reads_most_metrics(selector: &Selector) -> bool {
    /// Metrics of different parts of a cluster.
    const UNRELATED: [&str; 3] = ["cluster_version", "kube_pod_info", "up"];
    if selector.metric().is_some() {
        return false;
    }
    let mut names = selector.matchers.iter().filter(|one| one.label.value == "__name__");
    names.all(|one| {
        let is_match =
            |name: &&str| promql::regex::matches(&one.value.value, name).unwrap_or_default();
        match one.op {
            MatchOp::Equal => false,
            MatchOp::NotEqual => true,
            MatchOp::Regex => UNRELATED.iter().all(is_match),
            MatchOp::NotRegex => !UNRELATED.iter().any(is_match),
        }
    })
}
