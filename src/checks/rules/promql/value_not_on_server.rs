//! A value that no series has on a server.

use crate::graph_data::GraphData;
use crate::online::{Asked, Missing};
use crate::promql::{MatchOp, Matcher};
use crate::text::closest;
use crate::text::words::{list_all, quoted};

use super::shared::{QueryFault, check_asked, named_selector};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP642",
    name: "value-not-on-server",
    properties: Properties::USUAL,
    family: Family::Promql,
    severity: Severity::Info,
    summary: "a value or pattern that no series has on the server of `--url`",
    explanation: "\
With `--url`, exitpath asks a running Prometheus or Thanos about the queries. Series of
the metric have the label there, but none has this value, or a value that the pattern
matches, neither now nor in the last day.

This is only an info, because one server knows one cluster: `type=\"AWS\"` selects
nothing on Azure, and an operator that is not installed has no series. Read the values
that the server has: a different spelling there is probably the right one.",
    bad: "group(cluster_infrastructure_provider{_id=\"\",type=\"Vsphere\"}) or 0 * group(cluster_version{_id=\"\"})",
    good: "group(cluster_infrastructure_provider{_id=\"\",type=\"VSphere\"}) or 0 * group(cluster_version{_id=\"\"})",
    check: Check::Server(check),
};

fn check(data: &GraphData, asked: &Asked, findings: &mut Vec<Finding>) {
    check_asked(&RULE, data, asked, findings, |_, query, said| {
        let mut faults = Vec::new();
        for said in &said.selectors {
            let Some((selector, _)) = named_selector(query, said.node) else { continue };
            let metric = shortened(selector.metric().unwrap_or_default());
            faults.extend(said.missing.iter().filter_map(|(index, missing)| match missing {
                Missing::Value(values) => {
                    Some(fault(&metric, selector.matchers.get(*index)?, values))
                }
                Missing::Label(_) => None,
            }));
        }
        faults
    });
}

fn fault(metric: &str, matcher: &Matcher, values: &[String]) -> QueryFault {
    let (label, value) = (shortened(&matcher.label.value), shortened(&matcher.value.value));
    let what = match matcher.op {
        MatchOp::Regex | MatchOp::NotRegex => format!("a `{label}` that `{value}` matches"),
        MatchOp::Equal | MatchOp::NotEqual => format!("the `{label}` `{value}`"),
    };
    let meant = closest(&matcher.value.value, values.iter().map(String::as_str));
    QueryFault {
        range: matcher.range.clone(),
        message: format!("on this server, no series of `{metric}` has {what}"),
        help: match meant.filter(|_| matcher.op == MatchOp::Equal) {
            Some(meant) => format!("did you mean `{}`?", shortened(meant)),
            None => there(&label, values),
        },
        ..QueryFault::default()
    }
}

/// The values that the server has, in words.
fn there(label: &str, values: &[String]) -> String {
    const FEW: usize = 5;
    let named = values.iter().take(FEW).map(|value| shortened(value)).collect::<Vec<_>>();
    let such_as = if values.len() > FEW { "such as " } else { "" };
    format!("there, `{label}` is {such_as}{}", list_all(&quoted(&named), "or"))
}
