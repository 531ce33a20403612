//! Matchers of one selector that no series can satisfy together.

use crate::graph_data::GraphData;
use crate::promql::{Expr, Matcher};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP604",
    name: "contradictory-matchers",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a selector whose matchers contradict each other",
    explanation: "\
A selector selects a series only if all matchers match. Two matchers that cannot match
at the same time select nothing. The arm of the query that uses the selector returns
nothing in all clusters.",
    bad: "group(kube_node_role{_id=\"\",role=\"master\",role=\"worker\"})",
    good: "group(kube_node_role{_id=\"\",role=~\"master|worker\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(&selector.matchers),
            _ => None,
        });
        selectors.filter_map(|matchers| first_contradiction(matchers)).collect()
    });
}

fn first_contradiction(matchers: &[Matcher]) -> Option<QueryFault> {
    // Each matcher is compared with all others, and people do not write more than this.
    let matchers = matchers.get(..matchers.len().min(12))?;
    let (a, b) = matchers.iter().enumerate().find_map(|(i, b)| {
        let earlier = matchers.get(..i)?;
        let a = earlier.iter().find(|a| a.label.value == b.label.value && a.contradicts(b))?;
        Some((a, b))
    })?;
    Some(QueryFault {
        range: b.range.clone(),
        message: format!(
            "no series can satisfy both this and the earlier matcher for `{}`, so the selector is empty in all clusters",
            b.label.value
        ),
        help:
            "to match one of several values, write `=~\"this|that\"`; otherwise remove one matcher"
                .into(),
        related: vec![(a.range.clone(), "the earlier matcher".into())],
        ..QueryFault::default()
    })
}
