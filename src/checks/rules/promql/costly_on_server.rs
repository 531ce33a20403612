//! A query that costs a server much.

use std::time::Duration;

use crate::graph_data::GraphData;
use crate::online::{Asked, AskedQuery};
use crate::promql::Query;
use crate::text::words::grouped;

use super::shared::{QueryFault, check_asked};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP643",
    name: "costly-on-server",
    properties: Properties::USUAL,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that selects many series or takes long on the server of `--url`",
    explanation: "\
With `--url`, exitpath asks a running Prometheus or Thanos about the queries, and
measures.

- An answer took more than 10 seconds. A cluster gives up after five minutes, and the
  risk is then *Unknown*. That is thirty times as long, but a larger cluster has more
  series, and a cluster in trouble has a slower server.
- A selector selects more than 10,000 series (info). OpenShift is tested with up to
  2,000 nodes, so a metric with a few series for each node stays below that. This one
  grows with the pods or other objects of the cluster. A matcher that selects fewer
  series makes the query cheaper.",
    bad: "group(kube_pod_container_info{_id=\"\"}) or 0 * group(cluster_version{_id=\"\"})",
    good: "group(kube_pod_container_info{_id=\"\",namespace=\"openshift-example\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Server(check),
};

/// Evaluations that take longer are reported. A cluster gives up after 30 times as long.
const LONG: Duration = Duration::from_secs(10);
/// Selectors with more series are reported. This is several series for each node of the largest
/// cluster that OpenShift is tested with.
const MANY: usize = 10_000;

fn check(data: &GraphData, asked: &Asked, findings: &mut Vec<Finding>) {
    check_asked(&RULE, data, asked, findings, |_, query, said| {
        let slow = (said.took > LONG).then(|| slow(query, said.took));
        slow.into_iter().chain(large(query, said)).collect()
    });
}

fn slow(query: &Query, took: Duration) -> QueryFault {
    QueryFault {
        range: query.node(query.root()).range.clone(),
        message: format!(
            "this server takes {} s for the answer: a larger cluster can take more than the five \
             minutes after which it gives up",
            took.as_secs()
        ),
        help: "select fewer series with more matchers, or use shorter ranges".into(),
        ..QueryFault::default()
    }
}

fn large(query: &Query, said: &AskedQuery) -> Vec<QueryFault> {
    let large = said.selectors.iter().filter(|selector| selector.series > MANY);
    let fault = |series, range| QueryFault {
        range,
        message: format!("on this server, this selects {} series", grouped(series)),
        help: "add a matcher that selects fewer series".into(),
        severity: Some(Severity::Info),
        ..QueryFault::default()
    };
    large.map(|one| fault(one.series, query.node(one.node).range.clone())).collect()
}
