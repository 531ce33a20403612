//! A query that can return a number other than 0 and 1.

use crate::coverage::{Outcome, Witness};
use crate::graph_data::GraphData;
use crate::promql::Values;

use super::shared::{Covered, QueryFault, capital, check_coverage, severity_of};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP612",
    name: "answer-not-0-or-1",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that counts, or can return a number other than 0 and 1",
    explanation: "\
Clusters accept only 0 (not affected) and 1 (affected). Any other number is an error,
and the risk stays *Unknown*. A count of two nodes is 2, and the sum of two ones is
also 2. The finding names a cluster on which this happens: it is an error if many
clusters are like it, and a warning if few are. `-1 * group(…)` means Unknown on
purpose, and is an info.",
    bad: "count(kube_node_labels{_id=\"\",label_kubernetes_io_arch=\"s390x\"}) or 0 * group(kube_node_labels{_id=\"\"})",
    good: "group(kube_node_labels{_id=\"\",label_kubernetes_io_arch=\"s390x\"}) or 0 * group(kube_node_labels{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_coverage(&RULE, data, findings, |covered| {
        let other = |outcome: &Outcome| matches!(outcome, Outcome::OtherValue(_));
        match covered.coverage.witness(other) {
            Some(witness) => vec![seen(witness)],
            None if covered.is_open() => shown_by_text(covered).into_iter().collect(),
            None => Vec::new(),
        }
    });
}

const HELP: &str = "`group(…)` returns 1 for any number of series, and `max(…)` returns the greatest value; a comparison with `bool` returns 0 or 1";

fn seen(witness: &Witness) -> QueryFault {
    let answers = capital(&witness.sentence());
    let range = witness.blame.clone();
    if witness.outcome == Outcome::OtherValue(-1.0) {
        return QueryFault {
            range,
            message: "this returns -1 on some clusters, which means Unknown".into(),
            help: format!("{answers}. If that is on purpose, a comment in the file should say why"),
            severity: Some(Severity::Info),
            ..QueryFault::default()
        };
    }
    QueryFault {
        range,
        message: "this can return another number than 0 and 1, and clusters accept no other: the risk then stays Unknown".into(),
        help: format!("{answers}. {HELP}"),
        severity: Some(severity_of(witness)),
        ..QueryFault::default()
    }
}

fn shown_by_text(covered: &Covered<'_>) -> Option<QueryFault> {
    let other = match &covered.answer.shape.as_ref()?.values {
        Values::Tally { .. } => "a count".to_owned(),
        Values::Only(list) => list.iter().find(|v| ![-1.0, 0.0, 1.0].contains(*v))?.to_string(),
        Values::Any => return None,
    };
    Some(QueryFault {
        range: covered.query.node(covered.query.root()).range.clone(),
        message: format!(
            "this can return {other}, but clusters accept only 0 and 1: the risk then stays Unknown"
        ),
        help: HELP.into(),
        ..QueryFault::default()
    })
}
