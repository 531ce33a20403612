//! A metric that a server does not have.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::coverage::Dictionary;
use crate::graph_data::GraphData;
use crate::online::{Asked, Presence};
use crate::promql::Selector;

use super::shared::{QueryFault, check_asked, named_selector};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP640",
    name: "metric-not-on-server",
    properties: Properties::USUAL,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a metric that has no series on the server of `--url`",
    explanation: "\
With `--url`, exitpath asks a running Prometheus or Thanos about the queries. The
server has no series of this metric, neither now nor in the last day. Either its name
is wrong, or this cluster does not have what exports it. The selector answers nothing
on such clusters, so that the query needs another part that answers 0 there.

If the dictionary of metrics knows the metric and says that only some clusters have it, the
name is right, and the finding is an info with the condition.

If the server had the metric in the last day and does not have it now, the finding is
an info: the name is right, but the answer changes.",
    bad: "max(cluster_proxy_enable{_id=\"\",type=\"http\"})",
    good: "max(cluster_proxy_enabled{_id=\"\",type=\"http\"})",
    check: Check::Server(check),
};

fn check(data: &GraphData, asked: &Asked, findings: &mut Vec<Finding>) {
    check_asked(&RULE, data, asked, findings, |reading, query, said| {
        let dictionary = data.queries.dictionary_of(reading);
        let mut metrics = BTreeSet::new();
        let faults = said.selectors.iter().filter_map(|said| {
            let (selector, range) = named_selector(query, said.node)?;
            let fault = fault(dictionary, selector, range, said.metric?)?;
            metrics.insert(selector.metric()?.to_owned()).then_some(fault)
        });
        faults.collect()
    });
}

fn fault(
    dictionary: &Dictionary,
    selector: &Selector,
    range: Range<usize>,
    presence: Presence,
) -> Option<QueryFault> {
    let known = selector.metric().and_then(|name| dictionary.metric(name));
    let metric = shortened(selector.metric()?);
    let (message, severity) = match presence {
        Presence::Now(_) => return None,
        Presence::Earlier => (
            format!(
                "on this server, `{metric}` has no series now, but had some in the last day: what \
                 the query answers changes"
            ),
            Some(Severity::Info),
        ),
        Presence::Never => (
            format!(
                "on this server, `{metric}` has no series, neither now nor in the last day: this \
                 selects nothing there"
            ),
            None,
        ),
    };
    let fallback = "end the query with `or 0 * group(…)` over a metric that all clusters have";
    let (help, severity) = match known.map(|known| known.condition()) {
        Some(Some(condition)) => (
            format!(
                "a cluster has the metric only if {condition}; if the risk does not apply to others, {fallback}"
            ),
            Some(Severity::Info),
        ),
        Some(None) => (
            "the dictionary of metrics says that every cluster has this metric: look at whether the server collects it, and at the version of the cluster".to_owned(),
            severity,
        ),
        None => (
            format!("check the name; if only some clusters have the metric, {fallback}"),
            severity,
        ),
    };
    Some(QueryFault { range, message, help, severity, ..QueryFault::default() })
}
