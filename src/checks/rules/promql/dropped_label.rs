//! A label that is needed after an aggregation drops it.

use crate::graph_data::GraphData;
use crate::promql::{Answer, CLUSTER_ID, Dropped, Expr, NodeId, Query, Remark};
use crate::text::words::{listed, quoted};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP607",
    name: "dropped-label",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a label that `on`, `group_left`, or `by` needs, but an aggregation drops",
    explanation: "\
An aggregation keeps only the labels in its `by`. A later `on (label)` then finds the
label on one side only and matches nothing. A later `by (label)` or
`group_left (label)` has no label to use. With `_id`, this works where the label is
empty, in a standalone cluster. It fails in hosted control planes, where `_id` is the
cluster's id: the query returns no sample, and the risk stays *Unknown* there.",
    bad: "\
(
  group by (_id, type) (cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
  or
  0 * group by (_id, type) (cluster_infrastructure_provider{_id=\"\"})
)
* on (_id)
group(cluster_version{_id=\"\"})",
    good: "\
(
  group by (_id, type) (cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
  or
  0 * group by (_id, type) (cluster_infrastructure_provider{_id=\"\"})
)
* on (_id)
group by (_id) (cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, answer| faults(query, answer));
}

/// One fault for each expression that drops a label that is needed later.
fn faults(query: &Query, answer: &Answer) -> Vec<QueryFault> {
    let mut by_node: Vec<(NodeId, Vec<&Dropped>)> = Vec::new();
    for remark in &answer.remarks {
        let Remark::Dropped(dropped) = remark else { continue };
        let dropping_node = dropping_node(query, dropped.lacking);
        match by_node.iter().position(|(known, _)| *known == dropping_node) {
            Some(at) => by_node[at].1.push(dropped),
            None if by_node.len() < 20 => by_node.push((dropping_node, vec![dropped])),
            None => {}
        }
    }
    by_node
        .iter()
        .filter_map(|(dropping_node, group)| fault(query, *dropping_node, group))
        .collect()
}

/// The inner expression that drops the label. It skips parentheses, signs, and aggregations such as
/// `topk` that keep all labels.
fn dropping_node(query: &Query, mut id: NodeId) -> NodeId {
    loop {
        id = match &query.node(id).expr {
            Expr::Paren(inner) | Expr::Unary(_, inner) => *inner,
            Expr::Aggregation(a) if a.op.value.picks() => a.of,
            _ => return id,
        };
    }
}

fn fault(query: &Query, dropping_node: NodeId, group: &[&Dropped]) -> Option<QueryFault> {
    let first = group.first()?;
    let mut labels: Vec<&str> = group.iter().map(|dropped| dropped.label.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    let listed = listed(&quoted(&labels), "and");
    let by = labels.join(", ");
    let effect = if labels.contains(&CLUSTER_ID) {
        "In hosted control planes, `_id` is the cluster's id. Nothing matches there, and the risk stays Unknown"
    } else if group.iter().all(|dropped| dropped.is_copy) {
        "There is nothing to copy, and the result does not show this"
    } else {
        "The later expression finds nothing, and the risk stays Unknown"
    };
    let (the, they) = match labels.len() {
        1 => ("the label", "it is"),
        _ => ("the labels", "they are"),
    };
    Some(QueryFault {
        range: query.node(dropping_node).range.clone(),
        message: format!("this removes {the} {listed}, but {they} needed later. {effect}"),
        help: format!("keep it with `by ({by})`, or do not use it later"),
        severity: group.iter().all(|dropped| dropped.is_copy).then_some(Severity::Info),
        related: vec![(place_of_need(query, first), format!("`{}` is needed here", first.label))],
    })
}

/// The place where the label is needed.
fn place_of_need(query: &Query, dropped: &Dropped) -> std::ops::Range<usize> {
    let node = query.node(dropped.needed);
    let labels = match &node.expr {
        Expr::Aggregation(a) => a.grouping.iter().flat_map(|g| &g.labels).collect::<Vec<_>>(),
        Expr::Binary(b) => {
            let matching = b.matching.iter();
            matching
                .flat_map(|m| m.labels.iter().chain(m.group.iter().flat_map(|i| &i.labels)))
                .collect()
        }
        _ => Vec::new(),
    };
    let label = labels.into_iter().find(|label| label.value == dropped.label);
    label.map_or(node.range.clone(), |label| label.range.clone())
}
