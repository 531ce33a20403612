//! A metric that the dictionary does not know.

use std::collections::BTreeSet;

use crate::graph_data::GraphData;
use crate::promql::{Expr, Selector};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};
use crate::text::is_typo_of;

pub(super) static RULE: Rule = Rule {
    code: "EP618",
    name: "unknown-metric",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Info,
    summary: "a metric that the dictionary of metrics does not know",
    explanation: "\
A misspelled metric has no series. With a fallback, the query then returns 0 for all
clusters, and the update is recommended to affected clusters. If the name is close to
that of a metric in the dictionary, the finding is an error. Otherwise the dictionary
may just not know the metric, and exitpath cannot prove what the query answers:
describe the metric in `exitpath.toml`, in a table `[metrics.NAME]` with the keys of
`clusters/metrics.toml`.",
    bad: "group(cluster_infrastructure_providr{_id=\"\",type=\"AWS\"}) or 0 * group(cluster_version{_id=\"\"})",
    good: "group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let dictionary = data.queries.dictionary();
    check_queries(&RULE, data, findings, |_, query, _| {
        let mut seen = BTreeSet::new();
        let selectors = query.nodes().filter_map(|(id, node)| match &node.expr {
            Expr::Selector(selector) => Some((id, selector)),
            _ => None,
        });
        selectors
            .filter_map(|(id, selector)| Some((id, selector, selector.metric()?)))
            .filter(|(_, _, name)| dictionary.metric(name).is_none() && seen.insert(*name))
            .map(|(id, selector, name)| {
                let near = dictionary.names().find(|known| is_typo_of(name, known));
                fault(place(selector).unwrap_or_else(|| query.node(id).range.clone()), name, near)
            })
            .collect()
    });
}

fn place(selector: &Selector) -> Option<std::ops::Range<usize>> {
    selector.name.as_ref().map(|name| name.range.clone())
}

fn fault(range: std::ops::Range<usize>, name: &str, near: Option<&str>) -> QueryFault {
    let (message, help, severity) = match near {
        Some(near) => (
            format!("clusters may not have a metric `{name}`: the dictionary knows `{near}`"),
            format!("write `{near}`, or describe `{name}` in exitpath.toml"),
            Severity::Error,
        ),
        None => (
            format!(
                "the dictionary of metrics does not know `{name}`, so nothing is proved about this query"
            ),
            format!(
                "compare the name with that on a cluster, or describe the metric in exitpath.toml: `[metrics.{name}]`"
            ),
            Severity::Info,
        ),
    };
    QueryFault { range, message, help, severity: Some(severity), ..QueryFault::default() }
}
