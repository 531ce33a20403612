//! A query in which only some selectors have `_id=""`.

use crate::graph_data::GraphData;

use super::shared::{QueryFault, check_queries, selectors_by_cluster_id};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP614",
    name: "mixed-cluster-id",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query in which some selectors have `_id=\"\"` and others do not",
    explanation: "\
In hosted control planes, the text `_id=\"\"` is replaced with the cluster's own id.
Selectors without it see the metrics of all clusters there. Selectors with it see the
metrics of one cluster, and the query mixes both. Only this exact text is replaced:
`_id=''` and `_id = \"\"` are not.",
    bad: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(cluster_version)",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |reading, query, _| {
        let (with, without) = selectors_by_cluster_id(reading, query);
        let mut without = without.into_iter();
        match without.next() {
            Some(first) if with > 0 => vec![QueryFault {
                message: "this has no `_id=\"\"`, but other selectors of the query do, so in a hosted control plane it sees the metrics of all clusters".into(),
                help: "write exactly `_id=\"\"` between the braces".into(),
                related: without.map(|fault| (fault.range, "this also has no `_id=\"\"`".into())).take(20).collect(),
                ..first
            }],
            _ => Vec::new(),
        }
    });
}
