//! A query that can return several samples.

use crate::coverage::{Outcome, Witness};
use crate::graph_data::GraphData;
use crate::promql::{Expr, ManyCause, Query, Remark, SampleCount};

use super::shared::{Covered, QueryFault, capital, check_coverage, severity_of};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP608",
    name: "several-answers",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query, or a side of a join, that can return several samples at once",
    explanation: "\
Clusters accept exactly one sample. Two samples are an error, and the risk stays
*Unknown*. The same applies to the side of a join that must have one sample:
Prometheus refuses to match many to many. This happens when the sides of an `or`
differ in a label, so that the right side still returns a sample when the left side
returns one. It also happens when an aggregation keeps a label that has several values
in a cluster. `topk(1, …)` takes the greatest value, and `or on ()` drops the right
side when the left side returns a sample. The finding names a cluster on which this
happens: it is an error if many clusters are like it, a warning if few are, and an
info if clusters are like it for a short time, such as while an operator is updated.",
    bad: "\
group by (name) (cluster_operator_conditions{_id=\"\",name=\"example\"})
or
0 * group by (name) (cluster_operator_conditions{_id=\"\"})",
    good: "\
topk(1,
  group by (name) (cluster_operator_conditions{_id=\"\",name=\"example\"})
  or
  0 * group by (name) (cluster_operator_conditions{_id=\"\"})
)",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_coverage(&RULE, data, findings, |covered| {
        let several = |outcome: &Outcome| matches!(outcome, Outcome::SeveralSamples(_));
        let fails = |outcome: &Outcome| matches!(outcome, Outcome::Error(_));
        let coverage = covered.coverage;
        let witnesses = [coverage.witness(several), coverage.witness(fails)];
        if covered.is_open() {
            return shown_by_text(covered);
        }
        let mut faults: Vec<QueryFault> =
            witnesses.into_iter().flatten().map(|witness| seen(witness, covered)).collect();
        faults.dedup_by(|one, other| one.range == other.range);
        faults
    });
}

/// The fault that a witness shows. If the text of the query explains it more precisely, that fault
/// is used.
fn seen(witness: &Witness, covered: &Covered<'_>) -> QueryFault {
    let by_text = shown_by_text(covered).into_iter().find(|fault| {
        let (inner, outer) = (&fault.range, &witness.blame);
        outer.start <= inner.start && inner.end <= outer.end
    });
    let fault = by_text.unwrap_or_else(|| QueryFault {
        range: witness.blame.clone(),
        message: match witness.outcome {
            Outcome::Error(_) => "this fails on some clusters, so the risk stays Unknown there".into(),
            _ => "this can return several samples, and clusters accept only one: the risk stays Unknown".into(),
        },
        help: "`group(…)` makes one sample of several, and `topk(1, …)` takes the greatest".into(),
        ..QueryFault::default()
    });
    let help = format!("{}. {}", capital(&witness.sentence()), capital(&fault.help));
    QueryFault { help, severity: Some(severity_of(witness)), ..fault }
}

fn shown_by_text(covered: &Covered<'_>) -> Vec<QueryFault> {
    let answer = covered.answer;
    let mut causes: Vec<(&ManyCause, &str)> = Vec::new();
    if let Some(SampleCount::Many(cause)) = answer.shape.as_ref().map(|shape| &shape.count) {
        causes.push((cause, "clusters accept only one sample, so the risk stays Unknown"));
    }
    for remark in &answer.remarks {
        if let Remark::ManyToMany(_, cause) = remark
            && causes.len() < 20
            && causes.iter().all(|(known, _)| *known != cause)
        {
            causes.push((cause, "a many-to-many join fails, so the risk stays Unknown"));
        }
    }
    causes.into_iter().map(|(cause, effect)| fault(covered.query, cause, effect)).collect()
}

fn fault(query: &Query, cause: &ManyCause, effect: &str) -> QueryFault {
    match cause {
        ManyCause::Or(id, label) => {
            let range = match &query.node(*id).expr {
                Expr::Binary(binary) => binary.op.range.clone(),
                _ => query.node(*id).range.clone(),
            };
            QueryFault {
                range,
                message: format!(
                    "the sides of this `or` can differ in `{label}` and then both return samples: {effect}"
                ),
                help: "write `or on ()`, or wrap the whole `or` in `topk(1, …)`".into(),
                ..QueryFault::default()
            }
        }
        ManyCause::By(id, label) => {
            let node = query.node(*id);
            let range = match &node.expr {
                Expr::Aggregation(aggregation) => {
                    let labels = aggregation.grouping.iter().flat_map(|g| &g.labels);
                    let label = labels.clone().find(|known| known.value == *label);
                    label.map_or(node.range.clone(), |label| label.range.clone())
                }
                _ => node.range.clone(),
            };
            QueryFault {
                range,
                message: format!(
                    "this returns one sample for each `{label}`, and a cluster can have several: {effect}"
                ),
                help: format!("remove `{label}` here, or wrap the aggregation in `topk(1, …)`"),
                ..QueryFault::default()
            }
        }
    }
}
