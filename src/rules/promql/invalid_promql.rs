//! A query that is none.

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, Query};

use super::query::{Fault, finding, review};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP601",
    name: "invalid-promql",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a query that Prometheus cannot read",
    explanation: "\
Nothing between the author and the clusters reads the query. Every cluster's
evaluation fails, the risk stays *Unknown* everywhere, and its updates are
recommended to nobody. Experimental functions and syntax count as errors, as
clusters do not enable them; so do queries of more than 16 KiB, or nested more
than 200 deep.",
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
    review(&RULE, data, findings, |_, query, _| {
        query.nodes().filter_map(|(_, node)| refused_replacement(query, &node.expr)).collect()
    });
    for reading in data.queries.all() {
        let Err(error) = reading.query.as_ref() else { continue };
        let opened = error.opened.iter().map(|range| (range.clone(), "it is opened here".into()));
        let fault = Fault {
            range: error.range.clone(),
            message: format!(
                "Prometheus cannot read this query, so no cluster learns whether it is affected, and none is recommended the update: {}",
                error.message
            ),
            help: "fix it, and try it in a cluster's console".into(),
            related: opened.collect(),
            ..Fault::default()
        };
        findings.extend(finding(&RULE, data, reading, &fault));
    }
}

/// `label_replace` compiles its regular expression when it is evaluated, and fails then.
fn refused_replacement(query: &Query, expr: &Expr) -> Option<Fault> {
    let Expr::Call(call) = expr else { return None };
    let pattern = query.node(query.bare(*call.arguments.get(4)?));
    let Expr::Text(text) = &pattern.expr else { return None };
    let error = promql::anchored(text).err()?;
    Some(Fault {
        range: pattern.range.clone(),
        message: format!(
            "Prometheus refuses to evaluate this, so no cluster learns whether it is affected: invalid regular expression: {}",
            error.why
        ),
        help: "fix it, and try it in a cluster's console".into(),
        ..Fault::default()
    })
}
