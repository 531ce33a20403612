//! A query that says of some metrics whose they are, and of others not.

use crate::graph_data::GraphData;

use super::no_cluster_id::selectors;
use super::query::{Fault, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP614",
    name: "mixed-cluster-id",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query in which some selectors have `_id=\"\"` and others have not",
    explanation: "\
In hosted control planes the text `_id=\"\"` is replaced by the cluster's own id. The
selectors that lack it see the metrics of all clusters there, the others those of one,
and the query mixes them. Only this very text is replaced: `_id=''` and `_id = \"\"`
are not.",
    bad: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count)",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    review(&RULE, data, findings, |reading, query, _| {
        let (with, without) = selectors(reading, query);
        let mut without = without.into_iter();
        match without.next() {
            Some(first) if with > 0 => vec![Fault {
                message: "this lacks the `_id=\"\"` that other selectors of the query have, so in a hosted control plane it sees the metrics of all clusters".into(),
                help: "write `_id=\"\"` between the braces, in just these characters".into(),
                related: without.map(|fault| (fault.range, "so does this".into())).take(20).collect(),
                ..first
            }],
            _ => Vec::new(),
        }
    });
}
