//! The right side of an `or` that never has an effect.

use crate::graph_data::GraphData;
use crate::promql::{Expr, NodeId, Query, Remark};

use super::shared::{QueryFault, check_coverage};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP609",
    name: "unreachable-arm",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "the right side of an `or` that the left side always overrides",
    explanation: "\
`or` takes a sample from its right side only if its left side has no such sample. If
the left side has one whenever the right side has one, the right side has no effect.
This happens when a general fallback comes before the special case that it should
follow, or when `vector(0)` comes first. If the text of the query does not show it,
but the dictionary of metrics says that no cluster needs the side, the finding is an
info: a fallback that is never needed does no harm.",
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
    check_coverage(&RULE, data, findings, |covered| {
        let by_text = covered.answer.remarks.iter().filter_map(|remark| match remark {
            Remark::Unreachable(id) => Some(*id),
            _ => None,
        });
        let by_text: Vec<NodeId> = by_text.collect();
        let seen = covered.coverage.unused.iter().filter(|id| !by_text.contains(id));
        let faults = by_text.iter().map(|id| (*id, None));
        let faults = faults.chain(seen.map(|id| (*id, Some(Severity::Info))));
        faults.filter_map(|(id, severity)| fault(covered.query, id, severity)).collect()
    });
}

fn fault(query: &Query, id: NodeId, severity: Option<Severity>) -> Option<QueryFault> {
    let Expr::Binary(binary) = &query.node(id).expr else { return None };
    let left = query.node(binary.left).range.clone();
    let message = match severity {
        None => {
            "this side is never used: the left side of the `or` has a sample whenever this side has one"
        }
        Some(_) => {
            "no cluster needs this side: wherever it has a sample, the left side of the `or` has one"
        }
    };
    Some(QueryFault {
        range: query.node(binary.right).range.clone(),
        message: message.into(),
        help: "put the special case first and the fallback last".into(),
        related: vec![(left, "this side takes precedence".into())],
        severity,
    })
}
