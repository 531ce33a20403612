//! A query that is none.

use crate::graph_data::GraphData;

use super::query::{Fault, finding};
use super::{Check, Family, Finding, Rule, Severity};

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
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for reading in data.queries.iter() {
        let Err(error) = &reading.query else { continue };
        let opened = error.opened.iter().map(|range| (range.clone(), "it is opened here".into()));
        let fault = Fault {
            range: error.range.clone(),
            message: format!(
                "Prometheus cannot read this query, so no cluster learns whether it is affected, and none is recommended the update: {}",
                error.message
            ),
            help: "mend it, and try it in a cluster's console".into(),
            related: opened.collect(),
        };
        findings.extend(finding(&RULE, data, reading, &fault));
    }
}
