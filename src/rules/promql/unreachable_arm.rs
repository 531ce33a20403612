//! The right side of an `or` that never has an effect.

use crate::graph_data::GraphData;
use crate::promql::{Expr, Remark};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP609",
    name: "unreachable-arm",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "the right side of an `or` that the left side always overrides",
    explanation: "\
`or` takes a sample from its right side only if its left side has no such sample. If
the left side has one whenever the right side has one, the right side has no effect.
This happens when a general fallback comes before the special case that it should
follow, or when `vector(0)` comes first.",
    bad: "\
0 * group(cluster_infrastructure_provider{_id=\"\"})
or
group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})",
    good: "\
group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
or
0 * group(cluster_infrastructure_provider{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, answer| {
        let dead = answer.remarks.iter().filter_map(|remark| match remark {
            Remark::Unreachable(id) => Some(*id),
            _ => None,
        });
        dead.filter_map(|id| {
            let Expr::Binary(binary) = &query.node(id).expr else { return None };
            let left = query.node(binary.left).range.clone();
            Some(QueryFault {
                range: query.node(binary.right).range.clone(),
                message: "this side is never used: the left side of the `or` has a sample whenever this side has one".into(),
                help: "put the special case first and the fallback last".into(),
                related: vec![(left, "this side takes precedence".into())],
                ..QueryFault::default()
            })
        })
        .collect()
    });
}
