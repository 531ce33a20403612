//! A query that is not valid PromQL.

use std::ops::Range;

use crate::graph_data::GraphData;
use crate::promql::{self, Expr, Query};

use super::shared::{QueryFault, check_queries, query_finding};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP601",
    name: "invalid-promql",
    properties: Properties::OF_TEXTS,
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
0 * group(cluster_version{_id=\"\"})",
    good: "\
group(csv_succeeded{_id=\"\",name=~\"example[.].*\"})
or
0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |_, query, _| {
        query.nodes().filter_map(|(_, node)| invalid_label_replace(query, &node.expr)).collect()
    });
    for reading in data.queries.all() {
        let Err(error) = reading.query.as_ref() else { continue };
        let opened = error.opened.iter().map(|range| (range.clone(), "opened here".into()));
        let likely = error.opened.as_ref().and_then(|_| end_of_open_line(&reading.text));
        let likely = likely.map(|range| (range, "is a `)` missing after this?".into()));
        let end = if error.message.ends_with('?') { "" } else { "." };
        let fault = QueryFault {
            range: error.range.clone(),
            message: format!(
                "invalid query: {}{end} Clusters cannot evaluate it, so the update is not recommended to any of them",
                error.message
            ),
            help: help(&error.message),
            related: opened.chain(likely).collect(),
            ..QueryFault::default()
        };
        findings.extend(query_finding(&RULE, data, reading, &fault));
    }
}

/// What to do about a query with this error.
fn help(why: &str) -> String {
    const TRY: &str = "try the query in a cluster's console";
    if let Some((_, open)) = why.rsplit_once("unclosed ") {
        return format!("close this {open}, and {TRY}");
    }
    let is_in = |bracket: &str, place: &str| {
        why.starts_with(&format!("unexpected `{bracket}`")) && why.contains(place)
    };
    if is_in("(", "in a list of labels") || is_in("{", "in a list of labels") {
        return format!("is a `)` missing before this, after the labels? Then {TRY}");
    }
    if is_in(")", "between the braces") || is_in("(", "between the braces") {
        return format!("is a `}}` missing before this, after the matchers? Then {TRY}");
    }
    format!("correct this part, and {TRY}")
}

/// The last character of the line that has one more `(` than `)`, although it does not end with
/// `(`. People leave a `(` open at the end of a line only to write its content on the next lines.
/// None if there is no such line, or several.
fn end_of_open_line(query: &str) -> Option<Range<usize>> {
    let mut found = None;
    let mut start = 0;
    for line in query.split_inclusive('\n') {
        let code = line.trim_end();
        let (mut open, mut quote) = (0_i32, None);
        for c in code.chars() {
            match (quote, c) {
                (None, '"' | '\'' | '`') => quote = Some(c),
                (Some(open), c) if open == c => quote = None,
                (None, '(') => open += 1,
                (None, ')') => open -= 1,
                _ => {}
            }
        }
        if open > 0 && !code.ends_with('(') {
            if found.is_some() {
                return None;
            }
            let last = code.chars().next_back().map_or(0, char::len_utf8);
            found = Some(start + code.len() - last..start + code.len());
        }
        start += line.len();
    }
    found.filter(|_| query.contains('\n'))
}

/// A `label_replace` whose regular expression does not compile: it fails when it is evaluated.
fn invalid_label_replace(query: &Query, expr: &Expr) -> Option<QueryFault> {
    let Expr::Call(call) = expr else { return None };
    let pattern = query.node(query.bare(*call.arguments.get(4)?));
    let Expr::Text(text) = &pattern.expr else { return None };
    let error = promql::regex::anchored(text).err()?;
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
