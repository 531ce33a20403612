//! A query that cannot answer 0.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::query::{Fault, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

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
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    review(&RULE, data, findings, |reading, query, answer| {
        let root = query.root();
        let Some(shape) = &answer.shape else { return Vec::new() };
        // What can answer nothing but 0 is another rule's, and so is what counts.
        let Values::Only(list) = &shape.values else { return Vec::new() };
        if !shape.values.lacks(0.0) || list.is_empty() {
            return Vec::new();
        }
        let (message, help) = if shape.surely {
            (
                "this answers 1 in every cluster, and each of them asks it again and again",
                "say so with `type: Always`",
            )
        } else if reading.is_followed {
            // Where it has no answer, the next rule is asked.
            return Vec::new();
        } else {
            (
                "this cannot answer 0, so clusters that are not affected get no sample: the risk stays Unknown there, and the update is not recommended to them",
                "add a fallback: `or 0 * group(…)` over a metric that every cluster has",
            )
        };
        vec![Fault {
            range: query.node(root).range.clone(),
            message: message.into(),
            help: help.into(),
            ..Fault::default()
        }]
    });
}
