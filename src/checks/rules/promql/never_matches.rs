//! A part of a query that never has a sample, although its operands have some.

use crate::coverage::Coverage;
use crate::graph_data::{GraphData, Reading};
use crate::promql::{self, Binary, Expr, NodeId, Operator, Query, Type};

use super::shared::{QueryFault, check_coverage};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP622",
    name: "never-matches",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "an operator that never has a sample in any cluster",
    explanation: "\
`and`, `*`, and the like keep a sample only if the other side has one with the same
labels. Without `on` or `ignoring`, all labels count: two series of different metrics
never have the same ones. A comparison keeps a sample only if it holds. In no cluster
that the dictionary of metrics describes, this operator has a sample, so the arm of
the query that needs it never applies, and a fallback answers in its place.",
    bad: "\
(
  group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
  and
  csv_succeeded{_id=\"\",name=~\"example[.].*\"}
)
or on ()
0 * group(cluster_version{_id=\"\"})",
    good: "\
(
  group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
  and on ()
  csv_succeeded{_id=\"\",name=~\"example[.].*\"}
)
or on ()
0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_coverage(&RULE, data, findings, |covered| {
        let faults = covered.coverage.empty.iter();
        faults.filter_map(|id| fault(data, covered.reading, covered.query, *id)).collect()
    });
}

fn fault(data: &GraphData, reading: &Reading, query: &Query, id: NodeId) -> Option<QueryFault> {
    let Expr::Binary(binary) = &query.node(id).expr else { return None };
    let is_vector = |id: NodeId| query.node(id).kind == Type::Vector;
    let op = binary.op.value;
    let name = op.name();
    let (why, mut help) = if !(is_vector(binary.left) && is_vector(binary.right)) {
        ("no series has such a value", "compare with a value that the metric can have".to_owned())
    } else if op == Operator::Unless {
        (
            "the right side removes all samples of the left side",
            "look at the labels that both sides have".to_owned(),
        )
    } else if op.is_comparison() && binary.bool.is_none() {
        (
            "no sample of the left side passes the comparison with one of the right side",
            "look at the labels that both sides have, and at their values".to_owned(),
        )
    } else {
        (
            "no sample of the left side has the labels of one of the right side",
            "name the labels that both sides have, with `on (…)`".to_owned(),
        )
    };
    if let Some(text) = with_on(data, reading, id, binary) {
        help = format!("write `{text}` to compare no labels");
    }
    let sides = [(binary.left, "the left side"), (binary.right, "the right side")];
    Some(QueryFault {
        range: binary.op.range.clone(),
        message: format!("this `{name}` never has a sample in any cluster: {why}"),
        help,
        related: sides.map(|(side, words)| (query.node(side).range.clone(), words.into())).into(),
        ..QueryFault::default()
    })
}

/// The operator with `on ()`, if that gives it samples on all clusters and causes no new problem.
fn with_on(data: &GraphData, reading: &Reading, id: NodeId, binary: &Binary) -> Option<String> {
    if binary.matching.is_some() {
        return None;
    }
    let end = binary.op.range.end;
    let written = format!("{} on ()", binary.op.value.name());
    let text = format!("{} on (){}", reading.text.get(..end)?, reading.text.get(end..)?);
    let query = promql::parse(&text).ok()?;
    let coverage = Coverage::of(&query, data.queries.dictionary_of(reading));
    let is_better = !coverage.empty.contains(&id) && coverage.witnesses.is_empty();
    (coverage.is_complete && is_better).then_some(written)
}
