//! A metric that a server does not have.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::graph_data::GraphData;
use crate::online::{Asked, Presence};
use crate::promql::Selector;

use super::shared::{QueryFault, check_asked, named_selector};
use crate::rules::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP640",
    name: "metric-not-on-server",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a metric that has no series on the server of `--url`",
    explanation: "\
With `--url`, exitpath asks a running Prometheus or Thanos about the queries. The
server has no series of this metric, neither now nor in the last day. Either its name
is wrong, or this cluster does not have what exports it. The selector answers nothing
on such clusters, so that the query needs another part that answers 0 there.

If the server had the metric in the last day and does not have it now, the finding is
an info: the name is right, but the answer changes.",
    bad: "max(cluster_proxy_enable{_id=\"\",type=\"http\"})",
    good: "max(cluster_proxy_enabled{_id=\"\",type=\"http\"})",
    check: Check::Server(check),
};

fn check(data: &GraphData, asked: &Asked, findings: &mut Vec<Finding>) {
    check_asked(&RULE, (data, asked), findings, |_, query, said| {
        let mut metrics = BTreeSet::new();
        let faults = said.selectors.iter().filter_map(|said| {
            let (selector, range) = named_selector(query, said.node)?;
            let fault = fault(selector, range, said.metric?)?;
            metrics.insert(selector.metric()?.to_owned()).then_some(fault)
        });
        faults.collect()
    });
}

fn fault(selector: &Selector, range: Range<usize>, presence: Presence) -> Option<QueryFault> {
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
    let help = "check the name; if only some clusters have the metric, end the query with `or 0 * \
                group(…)` over a metric that all clusters have";
    Some(QueryFault { range, message, help: help.into(), severity, ..QueryFault::default() })
}
