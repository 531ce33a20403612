//! A regular expression for images that ends with the registry's host name.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, MatchOp, Matcher};

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP605",
    name: "image-regex-without-path",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a regular expression for images that ends with a host name",
    explanation: "\
Prometheus anchors regular expressions at both ends. A pull specification continues
after the registry's name: `registry.example.com/path/image:tag`. A pattern that ends
with the host name matches no image, so the query finds no affected clusters.",
    bad: "group(kube_pod_container_info{_id=\"\",image=~\".*[.]registry[.]example[.]com\"})",
    good: "group(kube_pod_container_info{_id=\"\",image=~\".*[.]registry[.]example[.]com[/@:].*\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        let selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
            Expr::Selector(selector) => Some(&selector.matchers),
            _ => None,
        });
        selectors.flatten().filter_map(fault).collect()
    });
}

/// The labels that hold pull specifications.
const LABELS: [&str; 3] = ["image", "image_spec", "image_id"];

fn fault(matcher: &Matcher) -> Option<QueryFault> {
    let is_regex = matches!(matcher.op, MatchOp::Regex | MatchOp::NotRegex);
    if !is_regex || !LABELS.contains(&matcher.label.value.as_str()) {
        return None;
    }
    let endings = promql::regex::endings(&matcher.value.value)?;
    let host = endings.iter().find(|ending| is_end_of_host(ending))?;
    let host = host.trim_start_matches(['.', '-']);
    let all = endings.iter().all(|ending| is_end_of_host(ending));
    let what = if all { "this" } else { "an alternative in this" };
    Some(QueryFault {
        range: matcher.range.clone(),
        message: format!(
            "{what} ends with the host name `{host}` and matches no image: a pull specification continues after the host name, and regular expressions are anchored at both ends"
        ),
        help: "also match the path, as in `[.]example[.]com[/@:].*`".into(),
        ..QueryFault::default()
    })
}

/// Whether a text ends with a top-level domain.
fn is_end_of_host(ending: &str) -> bool {
    const DOMAINS: [&str; 10] =
        ["cloud", "cn", "com", "dev", "eu", "gov", "io", "net", "org", "us"];
    ending.rsplit_once('.').is_some_and(|(_, domain)| DOMAINS.contains(&domain))
}
