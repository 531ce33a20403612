//! A query that cannot answer 0.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::query::{Fault, review};
use super::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP611",
    name: "never-unaffected",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that cannot answer 0, whatever the cluster",
    explanation: "\
A cluster is unaffected where the query answers 0. This one answers 1 or nothing, and
no sample is an error: clusters without the risk see it as *Unknown* and are not
recommended the update either. A fallback answers for them.",
    bad: "group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count{_id=\"\"})",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    review(&RULE, data, findings, |_, query, answer| {
        let root = query.root();
        let Some(values) = answer.shape.as_ref().map(|shape| &shape.values) else {
            return Vec::new();
        };
        if !values.lacks(0.0) || *values == Values::Only(Vec::new()) {
            return Vec::new();
        }
        vec![Fault {
            range: query.node(root).range.clone(),
            message: "this cannot answer 0, so clusters that are not affected get no sample: the risk stays Unknown there, and the update is not recommended to them".into(),
            help: "add a fallback: `or 0 * group(…)` over a metric that every cluster has".into(),
            ..Fault::default()
        }]
    });
}
