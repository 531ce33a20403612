//! A query that cannot answer 1.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::query::{Fault, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP610",
    name: "never-affected",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query that cannot answer 1, whatever the cluster",
    explanation: "\
A cluster is affected where the query answers 1. This one cannot, by its own arithmetic,
so affected clusters are recommended the update, or nobody learns anything.",
    bad: "0 * group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    review(&RULE, data, findings, |_, query, answer| {
        let root = query.root();
        let Some(values) = answer.shape.as_ref().map(|shape| &shape.values) else {
            return Vec::new();
        };
        // -1 is how the maintainers say Unknown on purpose.
        let is_purpose = matches!(values, Values::Only(list) if list.contains(&-1.0));
        if !values.lacks(1.0) || is_purpose {
            return Vec::new();
        }
        vec![Fault {
            range: query.node(root).range.clone(),
            message: "this cannot answer 1, so no cluster is ever found affected".into(),
            help: "`group(…)` answers 1; the `0 *` belongs to the fallback".into(),
            ..Fault::default()
        }]
    });
}
