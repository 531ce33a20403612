//! A matcher on a label that its metric does not have, or that the dictionary does not list.

use crate::coverage::Dictionary;
use crate::graph_data::GraphData;
use crate::promql::{self, Expr, MatchOp, Matcher, Selector};
use crate::text::closest;
use crate::text::words::{listed, quoted};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP606",
    name: "unknown-label",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a matcher on a label that a metric of Kubernetes objects does not have",
    explanation: "\
Metrics of Kubernetes objects, such as `kube_secret_info`, hold the object's name in a
label that is named after its kind: `secret`, `node`, `pod`. No series has the label
`name`, so the selector is empty, and the query uses its fallback in all clusters.

Another label that the dictionary of metrics does not list is a warning: kube-state-metrics may
have it in some versions or configurations.",
    bad: "group(kube_secret_info{_id=\"\",namespace=\"example\",name=\"credentials\"})",
    good: "group(kube_secret_info{_id=\"\",namespace=\"example\",secret=\"credentials\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |reading, query, _| {
        let dictionary = data.queries.dictionary_of(reading);
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(selector),
            _ => None,
        });
        let faults = selectors.flat_map(|selector| {
            let unlisted = selector
                .matchers
                .iter()
                .filter_map(|matcher| unlisted(dictionary, selector.metric()?, matcher));
            fault(selector).into_iter().chain(unlisted).collect::<Vec<_>>()
        });
        faults.collect()
    });
}

/// The fault for a label that kube-state-metrics may have, but that the dictionary does not list.
fn unlisted(dictionary: &Dictionary, name: &str, matcher: &Matcher) -> Option<QueryFault> {
    let metric = dictionary.metric(name).filter(|metric| metric.is_open())?;
    let label = matcher.label.value.as_str();
    let is_name = label == "name" && promql::label_for_name(name).is_some();
    if is_name || label == "__name__" || dictionary.lists_label(metric, label) {
        return None;
    }
    let effect = match matcher.op {
        MatchOp::Equal | MatchOp::Regex => "selects nothing",
        MatchOp::NotEqual | MatchOp::NotRegex => "excludes nothing",
    };
    let known: Vec<&str> = metric.own_labels().collect();
    let help = match closest(label, known.iter().copied()) {
        Some(meant) => format!("did you mean `{}`?", shortened(meant)),
        None => format!("known labels: {}", listed(&quoted(&known), "and")),
    };
    Some(QueryFault {
        range: matcher.range.clone(),
        message: format!(
            "the dictionary of metrics does not know the label `{}` of `{name}`: if no series has it, this matcher {effect}",
            shortened(label)
        ),
        help,
        severity: Some(Severity::Warning),
        ..QueryFault::default()
    })
}

fn fault(selector: &Selector) -> Option<QueryFault> {
    let metric = selector.metric()?;
    let label = promql::label_for_name(metric)?;
    let matcher = selector.matchers.iter().find(|matcher| matcher.label.value == "name")?;
    let effect = match matcher.op {
        MatchOp::Equal | MatchOp::Regex => "so this selects nothing in any cluster",
        MatchOp::NotEqual | MatchOp::NotRegex => "so this excludes nothing in any cluster",
    };
    Some(QueryFault {
        range: matcher.range.clone(),
        message: format!("`{metric}` has no label `name`, {effect}"),
        help: format!("the object's name is in the label `{label}`"),
        ..QueryFault::default()
    })
}
