//! A matcher that compares a pattern as text.

use crate::graph_data::GraphData;
use crate::promql::{Expr, MatchOp, Matcher};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP603",
    name: "regex-as-text",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a regular expression compared with `=` or `!=`",
    explanation: "\
`=` and `!=` compare the whole text, character by character. `type=\"AWS|GCP\"` selects
only series whose `type` is the seven characters `AWS|GCP`, and no such series exist.
With a fallback, the query then returns 0 for all clusters, and the update is
recommended to affected clusters.",
    bad: "group(cluster_infrastructure_provider{_id=\"\",type=\"AWS|GCP\"})",
    good: "group(cluster_infrastructure_provider{_id=\"\",type=~\"AWS|GCP\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(selector),
            _ => None,
        });
        selectors.flat_map(|selector| &selector.matchers).filter_map(fault).collect()
    });
}

/// Parts of patterns that label values do not contain.
const SIGNS: [&str; 6] = ["|", ".*", ".+", "[.]", "\\.", "(?"];

fn fault(matcher: &Matcher) -> Option<QueryFault> {
    let value = &matcher.value.value;
    let is_pattern = SIGNS.iter().any(|sign| value.contains(sign))
        || value.starts_with('^')
        || value.ends_with('$') && value.len() > 1;
    let (consequence, op) = match matcher.op {
        MatchOp::Equal => {
            ("no series has that value, so this selects nothing in any cluster", "=~")
        }
        MatchOp::NotEqual => {
            ("all series have other values, so this excludes nothing in any cluster", "!~")
        }
        MatchOp::Regex | MatchOp::NotRegex => return None,
    };
    is_pattern.then(|| QueryFault {
        range: matcher.range.clone(),
        message: format!(
            "`{}` looks like a regular expression but is compared as text: {consequence}",
            shortened(value)
        ),
        help: format!("use `{op}` to match a regular expression"),
        ..QueryFault::default()
    })
}
