//! A query that cannot return 0.

use crate::coverage::{Dictionary, Outcome, ProofVerdict};
use crate::graph_data::GraphData;
use crate::promql::{Expr, Query};

use super::shared::{QueryFault, capital, check_coverage, severity_of};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP611",
    name: "never-unaffected",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that cannot return 0 in any cluster",
    explanation: "\
A cluster is not affected if the query returns 0. This query returns 1 or nothing, and
no sample is an error. Clusters without the risk see it as *Unknown*, and the update
is not recommended to them either. A fallback returns 0 for these clusters. It is an error
if many clusters stay Unknown, and a warning if few do.",
    bad: "group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_coverage(&RULE, data, findings, |covered| {
        let Some(shape) = &covered.answer.shape else { return Vec::new() };
        let coverage = covered.coverage;
        if !covered.never_returns_zero() {
            return Vec::new();
        }
        let nothing = coverage.witness(|outcome| *outcome == Outcome::NoSample);
        let (message, help) = if shape.surely || coverage.verdict == ProofVerdict::Proved {
            (
                "this returns 1 in all clusters, and each cluster runs it again and again",
                "use `type: Always` instead".to_owned(),
            )
        } else if covered.reading.is_followed {
            // If it returns nothing, clusters evaluate the next matching rule.
            return Vec::new();
        } else {
            let witness = nothing.map(|witness| format!("{}. ", capital(&witness.sentence())));
            (
                "this cannot return 0, so clusters that are not affected get no sample: the risk stays Unknown there, and the update is not recommended to them",
                format!(
                    "{}Add a fallback: `or 0 * group(…)` over a metric that all clusters have",
                    witness.unwrap_or_default()
                ),
            )
        };
        let dictionary = data.queries.dictionary_of(covered.reading);
        let help = match always_there(dictionary, covered.query) {
            Some(cause) => format!("{cause}. {}", capital(&help)),
            None => help,
        };
        vec![QueryFault {
            severity: nothing.filter(|_| !shape.surely).map(severity_of),
            range: covered.query.node(covered.query.root()).range.clone(),
            message: message.into(),
            help,
            ..QueryFault::default()
        }]
    });
}

/// Explains why a selector always selects something: each cluster with its metric has a series that
/// matches. This may not be what the author wants.
fn always_there(dictionary: &Dictionary, query: &Query) -> Option<String> {
    let mut selectors = query.nodes().filter_map(|(_, node)| match &node.expr {
        Expr::Selector(selector) => Some(selector),
        _ => None,
    });
    // The first selector is usually the condition of the risk.
    selectors.next().and_then(|selector| {
        let name = selector.metric()?;
        let metric = dictionary.metric(name)?;
        let mut always = metric.always_there();
        let (label, value) = always.find(|(label, value)| {
            selector.matchers.iter().all(|matcher| {
                let text = match matcher.label.value.as_str() {
                    "__name__" => name,
                    known if known == *label => value,
                    _ => "",
                };
                matcher.admits(text, true).unwrap_or(false)
            })
        })?;
        let on =
            metric.condition().map_or(String::new(), |condition| format!(" where {condition}"));
        Some(format!(
            "Every cluster{on} has `{name}` with `{label}={}`, and this selects it",
            crate::go::quoted(value)
        ))
    })
}
