//! A query that cannot return 1.

use crate::graph_data::GraphData;
use crate::promql::Values;

use super::shared::{QueryFault, check_coverage};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP610",
    name: "never-affected",
    properties: Properties {
        // A pattern that is compared as text matches nothing, a label that the metric does not have
        // is empty, and several samples are an error: with each, the query never returns 1.
        explained_by: &["regex-as-text", "unknown-label", "several-answers"],
        ..Properties::OF_TEXTS
    },
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query that cannot return 1 in any cluster",
    explanation: "\
A cluster is affected if the query returns 1. This query cannot return 1: its own
arithmetic excludes it, or no cluster has the series that it would need, as the
dictionary of metrics describes them. Either the update is recommended to affected
clusters, or no cluster can determine whether it is affected.",
    bad: "0 * group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_coverage(&RULE, data, findings, |covered| {
        let values = covered.answer.shape.as_ref().map(|shape| &shape.values);
        // The maintainers use -1 for Unknown on purpose.
        if matches!(values, Some(Values::Only(list)) if list.contains(&-1.0)) {
            return Vec::new();
        }
        let lacks_one = values.is_some_and(|values| values.lacks(1.0));
        let coverage = covered.coverage;
        // `never-matches` reports parts that never have a sample.
        let is_told = !lacks_one && !coverage.empty.is_empty();
        if coverage.one || is_told || !(lacks_one || coverage.is_complete && values.is_some()) {
            return Vec::new();
        }
        let (message, help) = if lacks_one {
            (
                "this cannot return 1, so no cluster ever counts as affected",
                "`group(…)` returns 1; use `0 *` only in the fallback",
            )
        } else {
            (
                "no possible cluster makes this return 1, so no cluster ever counts as affected",
                "compare the matchers with the labels and values that the metric has, and look at the order of the sides of `or`",
            )
        };
        vec![QueryFault {
            range: covered.query.node(covered.query.root()).range.clone(),
            message: message.into(),
            help: help.into(),
            ..QueryFault::default()
        }]
    });
}
