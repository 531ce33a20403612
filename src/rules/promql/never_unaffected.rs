//! A query that cannot return 0.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP611",
    name: "never-unaffected",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that cannot return 0 in any cluster",
    explanation: "\
A cluster is not affected if the query returns 0. This query returns 1 or nothing, and
no sample is an error. Clusters without the risk see it as *Unknown*, and the update
is not recommended to them either. A fallback returns 0 for these clusters.",
    bad: "group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |reading, query, answer| {
        let root = query.root();
        let Some(shape) = &answer.shape else { return Vec::new() };
        // Other rules report queries that can only return 0, and queries that count.
        let Values::Only(list) = &shape.values else { return Vec::new() };
        if !shape.values.lacks(0.0) || list.is_empty() {
            return Vec::new();
        }
        let (message, help) = if shape.surely {
            (
                "this returns 1 in all clusters, and each cluster runs it again and again",
                "use `type: Always` instead",
            )
        } else if reading.is_followed {
            // If it returns nothing, clusters evaluate the next matching rule.
            return Vec::new();
        } else {
            (
                "this cannot return 0, so clusters that are not affected get no sample: the risk stays Unknown there, and the update is not recommended to them",
                "add a fallback: `or 0 * group(…)` over a metric that all clusters have",
            )
        };
        vec![QueryFault {
            range: query.node(root).range.clone(),
            message: message.into(),
            help: help.into(),
            ..QueryFault::default()
        }]
    });
}
