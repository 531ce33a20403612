//! A query that is not valid PromQL.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, Query};

use super::shared::{QueryFault, check_queries, query_finding};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP601",
    name: "invalid-promql",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query that Prometheus cannot read",
    explanation: "\
Nothing reads the query before the clusters do. The evaluation fails in all clusters,
the risk stays *Unknown* everywhere, and its updates are not recommended to any
cluster. Experimental functions and syntax count as errors, because clusters do not
enable them. Queries of more than 16 KiB, or nested more than 200 levels deep, also
count as errors.",
    bad: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"}
or
0 * group(csv_count{_id=\"\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(csv_count{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        query.nodes().filter_map(|(_, node)| invalid_label_replace(query, &node.expr)).collect()
    });
    for reading in data.queries.all() {
        let Err(error) = reading.query.as_ref() else { continue };
        let opened = error.opened.iter().map(|range| (range.clone(), "opened here".into()));
        let fault = QueryFault {
            range: error.range.clone(),
            message: format!(
                "invalid query: {}. Clusters cannot evaluate it, so the update is not recommended to any of them",
                error.message
            ),
            help: help(&error.message),
            related: opened.collect(),
            ..QueryFault::default()
        };
        findings.extend(query_finding(&RULE, data, reading, &fault));
    }
}

/// What to do about a query with this error.
fn help(why: &str) -> String {
    const TRY: &str = "try the query in a cluster's console";
    match why.rsplit_once("unclosed ") {
        Some((_, open)) => format!("close this {open}, and {TRY}"),
        None => format!("correct this part, and {TRY}"),
    }
}

/// A `label_replace` whose regular expression does not compile: it fails when it is evaluated.
fn invalid_label_replace(query: &Query, expr: &Expr) -> Option<QueryFault> {
    let Expr::Call(call) = expr else { return None };
    let pattern = query.node(query.bare(*call.arguments.get(4)?));
    let Expr::Text(text) = &pattern.expr else { return None };
    let error = promql::anchored(text).err()?;
    Some(QueryFault {
        range: pattern.range.clone(),
        message: format!(
            "invalid regular expression: {}. Clusters cannot evaluate the query, so the update is not recommended to any of them",
            error.why
        ),
        help: "correct the regular expression, and try the query in a cluster's console".into(),
        ..QueryFault::default()
    })
}
