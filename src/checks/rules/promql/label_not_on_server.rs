//! A label that no series of its metric has on a server.

use crate::graph_data::GraphData;
use crate::online::{Asked, Missing};
use crate::promql::{MatchOp, Matcher};
use crate::text::closest;
use crate::text::words::{listed, quoted};

use super::shared::{QueryFault, check_asked, named_selector};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP641",
    name: "label-not-on-server",
    properties: Properties::USUAL,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a label that no series of the metric has on the server of `--url`",
    explanation: "\
With `--url`, exitpath asks a running Prometheus or Thanos about the queries. The
server has series of the metric, but no series has this label, neither now nor in the
last day. A matcher that asks for a value then selects nothing. One that excludes a
value excludes nothing. Both are silent: the query answers, but not what it should.

The rule ignores `label=\"\"`, which selects series without the label, and `_id`.",
    bad: "group(cluster_infrastructure_provider{_id=\"\",platform=\"AWS\"}) or 0 * group(cluster_version{_id=\"\"})",
    good: "group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Server(check),
};

fn check(data: &GraphData, asked: &Asked, findings: &mut Vec<Finding>) {
    check_asked(&RULE, data, asked, findings, |_, query, said| {
        let mut faults = Vec::new();
        for said in &said.selectors {
            let Some((selector, _)) = named_selector(query, said.node) else { continue };
            let metric = shortened(selector.metric().unwrap_or_default());
            faults.extend(said.missing.iter().filter_map(|(index, missing)| match missing {
                Missing::Label(labels) => {
                    Some(fault(&metric, selector.matchers.get(*index)?, labels))
                }
                Missing::Value(_) => None,
            }));
        }
        faults
    });
}

fn fault(metric: &str, matcher: &Matcher, labels: &[String]) -> QueryFault {
    let label = &matcher.label.value;
    let effect = match matcher.op {
        MatchOp::Equal | MatchOp::Regex => "so this matcher selects nothing there",
        MatchOp::NotEqual | MatchOp::NotRegex => "so this matcher excludes nothing there",
    };
    let meant = closest(label, labels.iter().map(String::as_str));
    let help = match meant {
        Some(meant) => format!("did you mean `{}`?", shortened(meant)),
        None if labels.is_empty() => "its series have no labels".into(),
        None => {
            let labels: Vec<String> = labels.iter().map(|label| shortened(label)).collect();
            format!("a series of it has the labels {}", listed(&quoted(&labels), "and"))
        }
    };
    QueryFault {
        range: matcher.range.clone(),
        message: format!(
            "on this server, no series of `{metric}` has the label `{}`, {effect}",
            shortened(label)
        ),
        help,
        ..QueryFault::default()
    }
}
