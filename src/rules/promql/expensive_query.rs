//! A query that costs every cluster much.

use crate::graph_data::GraphData;
use crate::promql::{Expr, Query, Subquery};

use super::query::{Fault, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP616",
    name: "expensive-query",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query over days, or a subquery of very many steps",
    explanation: "\
Every cluster that sees the risk asks the query again and again, of a Prometheus that
has its own cluster to watch. Ranges of days and subqueries of thousands of steps read
every sample in between; a query that takes longer than five minutes is an error, and
the risk stays *Unknown*.",
    bad: "max(max_over_time(cluster_proxy_enabled{_id=\"\"}[14d]))",
    good: "max(max_over_time(cluster_proxy_enabled{_id=\"\"}[1h]))",
    check: Check::Declarations(check),
};

/// A longer range is seldom meant.
const DAYS: f64 = 2.0;
/// More steps than a graph of a day by the minute.
const STEPS: f64 = 2_000.0;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    review(&RULE, data, findings, |_, query, _| costs(query));
}

fn costs(query: &Query) -> Vec<Fault> {
    let fault = |range: &std::ops::Range<usize>, message: String, help: &str| Fault {
        range: range.clone(),
        message,
        help: help.into(),
        ..Fault::default()
    };
    let cost = |expr: &Expr| match expr {
        Expr::Range(_, range) if range.value > DAYS * 86_400.0 => Some(fault(
            &range.range,
            "every cluster reads all samples of these days, each time it asks".into(),
            "an hour bridges a restart; to look further back, ask `offset` for one moment",
        )),
        Expr::Subquery(Subquery { reach, step, .. }) => {
            let steps = (reach.value / step.as_ref().map_or(30.0, |step| step.value)).floor();
            (steps > STEPS).then(|| fault(
                &reach.range,
                format!("every cluster evaluates what stands before this {steps} times, each time it asks"),
                "shorten the range, or lengthen the step",
            ))
        }
        _ => None,
    };
    query.nodes().filter_map(|(_, node)| cost(&node.expr)).collect()
}
