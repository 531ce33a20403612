//! `^` and `$` in a matcher's regular expression.

use crate::graph_data::GraphData;
use crate::promql::{Expr, MatchOp, Matcher};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP615",
    name: "redundant-anchor",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Info,
    summary: "`^` or `$` in a matcher, which Prometheus already anchors",
    explanation: "\
A matcher's regular expression always has to match the whole value. An anchor does no
harm, but a reader may believe that a pattern without one matches part of the value,
and then write a wrong query.",
    bad: "group(csv_succeeded{_id=\"\",name=~\"^example[.].*$\"})",
    good: "group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(&selector.matchers),
            _ => None,
        });
        selectors.flatten().find_map(fault).into_iter().collect()
    });
}

fn fault(matcher: &Matcher) -> Option<QueryFault> {
    let pattern = matcher.value.value.as_str();
    let is_regex = matches!(matcher.op, MatchOp::Regex | MatchOp::NotRegex);
    let anchor = match pattern.strip_suffix('$') {
        _ if pattern.starts_with('^') => "^",
        Some(before) if !before.ends_with('\\') => "$",
        _ => return None,
    };
    is_regex.then(|| QueryFault {
        range: matcher.value.range.clone(),
        message: format!(
            "`{anchor}` has no effect here: the pattern must match the whole value anyway"
        ),
        help: "remove `^` and `$`".into(),
        ..QueryFault::default()
    })
}
