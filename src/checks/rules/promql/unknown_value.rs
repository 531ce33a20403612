//! A value that no series of a metric has.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, MatchOp, Matcher};
use crate::text::is_typo_of;
use crate::text::words::{listed, quoted};

use super::shared::{QueryFault, check_queries};
use crate::coverage::Dictionary;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP619",
    name: "unknown-value",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Info,
    summary: "a matcher for a value that the metric has on no cluster",
    explanation: "\
Some labels have few values, such as `type` of `cluster_infrastructure_provider`. A
matcher for another value selects nothing, and the query uses its fallback on all
clusters. Uppercase and lowercase letters are different: the platform is `VSphere`, not
`vSphere`. If the value is close to one that the dictionary of metrics knows, the finding
is a warning; otherwise the value may be newer than the dictionary.",
    bad: "group(cluster_infrastructure_provider{_id=\"\",type=\"vSphere\"}) or 0 * group(cluster_infrastructure_provider{_id=\"\"})",
    good: "group(cluster_infrastructure_provider{_id=\"\",type=\"VSphere\"}) or 0 * group(cluster_infrastructure_provider{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let dictionary = data.queries.dictionary();
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(selector),
            _ => None,
        });
        selectors
            .filter_map(|selector| Some((selector.metric()?, &selector.matchers)))
            .flat_map(|(metric, matchers)| {
                matchers.iter().filter_map(move |matcher| fault(dictionary, metric, matcher))
            })
            .collect()
    });
}

fn fault(dictionary: &Dictionary, metric: &str, matcher: &Matcher) -> Option<QueryFault> {
    let label = matcher.label.value.as_str();
    let known = dictionary.metric(metric)?.listed_values(label)?;
    let named = match matcher.op {
        MatchOp::Equal | MatchOp::NotEqual => vec![matcher.value.value.clone()],
        MatchOp::Regex | MatchOp::NotRegex => promql::regex::values(&matcher.value.value)?,
    };
    let unknown = named.into_iter().find(|value| !value.is_empty() && !known.contains(value))?;
    // `regex-as-text` reports a pattern that is compared as text.
    if unknown.contains(['|', '*']) {
        return None;
    }
    let near = known.iter().find(|known| is_typo_of(&unknown, known));
    let unknown = shortened(&unknown);
    let (help, severity) = if let Some(near) = near {
        (format!("write `{near}`"), Severity::Warning)
    } else {
        let values = listed(&quoted(known), "and");
        let help = format!("known values: {values}; describe others in exitpath.toml");
        (help, Severity::Info)
    };
    Some(QueryFault {
        range: matcher.value.range.clone(),
        message: format!(
            "no cluster has `{metric}` with `{label}=\"{unknown}\"`, as far as the dictionary of metrics knows"
        ),
        help,
        severity: Some(severity),
        ..QueryFault::default()
    })
}
