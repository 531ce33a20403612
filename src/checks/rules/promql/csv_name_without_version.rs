//! A matcher for operators that omits the version in their names.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, MatchOp, Matcher, Selector};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP617",
    name: "csv-name-without-version",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a matcher for the name of a ClusterServiceVersion that has no version",
    explanation: "\
The metrics `csv_succeeded` and `csv_abnormal` have the name of the operator's
ClusterServiceVersion, which ends with its version: `example-operator.v1.2.3`. A matcher
for `example-operator` finds nothing, because matchers compare the whole value. Often one
alternative of a pattern is outside the parentheses before `[.].*`.",
    bad: "group(csv_succeeded{_id=\"\",name=~\"(apple|pear)[.].*|plum\"})",
    good: "group(csv_succeeded{_id=\"\",name=~\"(apple|pear|plum)[.].*\"})",
    check: Check::Declarations(check),
};

/// The only operator of every cluster whose name has no version.
const WITHOUT_VERSION: &str = "packageserver";

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) if is_of_operators(selector) => Some(&selector.matchers),
            _ => None,
        });
        selectors
            .flatten()
            .filter(|matcher| matcher.label.value == "name")
            .filter_map(fault)
            .collect()
    });
}

fn is_of_operators(selector: &Selector) -> bool {
    matches!(selector.metric(), Some("csv_succeeded" | "csv_abnormal"))
}

fn fault(matcher: &Matcher) -> Option<QueryFault> {
    let text = matcher.value.value.as_str();
    let is_regex = matches!(matcher.op, MatchOp::Regex | MatchOp::NotRegex);
    let alternatives: Vec<&str> = if is_regex {
        promql::regex::alternatives(text).into_iter().map(|part| &text[part]).collect()
    } else {
        vec![text]
    };
    let is_idle = |part: &&&str| {
        let names =
            if is_regex { promql::regex::values(part) } else { Some(vec![(**part).to_owned()]) };
        names.is_some_and(|names| !names.is_empty() && names.iter().all(|name| lacks_version(name)))
    };
    let idle = shortened(alternatives.iter().find(is_idle)?);
    let is_negative = matches!(matcher.op, MatchOp::NotEqual | MatchOp::NotRegex);
    let (effect, op) =
        if is_negative { ("excludes no operator", "!~") } else { ("matches no operator", "=~") };
    let (what, help) = match alternatives.as_slice() {
        [_] => ("", format!("write `name{op}\"{idle}[.].*\"`")),
        _ => ("the alternative ", format!("also write `[.].*` after `{idle}`")),
    };
    Some(QueryFault {
        range: matcher.value.range.clone(),
        message: format!(
            "{what}`{idle}` {effect}: the name of a ClusterServiceVersion ends with its version, as in `example-operator.v1.2.3`"
        ),
        help,
        ..QueryFault::default()
    })
}

/// Whether a name is not empty and has no version, such as `.v1` or `.1`.
fn lacks_version(name: &str) -> bool {
    let is_version = |part: &str| {
        part.strip_prefix('v').unwrap_or(part).starts_with(|c: char| c.is_ascii_digit())
    };
    !name.is_empty() && name != WITHOUT_VERSION && !name.split('.').skip(1).any(is_version)
}
