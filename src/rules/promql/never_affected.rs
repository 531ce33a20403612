//! A query that cannot return 1.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP610",
    name: "never-affected",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query that cannot return 1 in any cluster",
    explanation: "\
A cluster is affected if the query returns 1. This query cannot return 1, because of
its own arithmetic. Either the update is recommended to affected clusters, or no
cluster can determine whether it is affected.",
    bad: "0 * group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, answer| {
        let root = query.root();
        let Some(values) = answer.shape.as_ref().map(|shape| &shape.values) else {
            return Vec::new();
        };
        // The maintainers use -1 for Unknown on purpose.
        let is_on_purpose = matches!(values, Values::Only(list) if list.contains(&-1.0));
        if !values.lacks(1.0) || is_on_purpose {
            return Vec::new();
        }
        vec![QueryFault {
            range: query.node(root).range.clone(),
            message: "this cannot return 1, so no cluster ever counts as affected".into(),
            help: "`group(…)` returns 1; use `0 *` only in the fallback".into(),
            ..QueryFault::default()
        }]
    });
}
