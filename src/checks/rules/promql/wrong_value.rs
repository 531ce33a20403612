//! A selector whose value is 0 on a cluster that it names.

use crate::coverage::value_traps;
use crate::graph_data::GraphData;
use crate::text::words::listed;

use super::shared::{QueryFault, check_queries};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP621",
    name: "wrong-value",
    properties: Properties::OF_TEXTS,
    family: Family::Promql,
    severity: Severity::Error,
    summary: "a selector that names a kind of cluster on which its metric is 0",
    explanation: "\
The value of some metrics depends on their labels: `cluster_infrastructure_provider` is 0
on the platform None and 1 on all others, and `cluster_feature_set` is 1 only for the
default set. A query that selects such a series and uses its value answers 0 on clusters
that it names, and the update is recommended to them. `group(…)` ignores the value, and
returns 1 wherever there is a series.",
    bad: "\
cluster_infrastructure_provider{_id=\"\",type=~\"VSphere|None\"}
or
0 * cluster_infrastructure_provider{_id=\"\"}",
    good: "\
group(cluster_infrastructure_provider{_id=\"\",type=~\"VSphere|None\"})
or
0 * group(cluster_infrastructure_provider{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_queries(&RULE, data, findings, |reading, query, _| {
        let dictionary = data.queries.dictionary_of(reading);
        let traps = value_traps(query, dictionary).into_iter();
        traps
            .map(|trap| {
                let values: Vec<String> =
                    trap.values.iter().map(|value| format!("`{}=\"{value}\"`", trap.label)).collect();
                QueryFault {
                    range: query.node(trap.selector).range.clone(),
                    message: format!(
                        "with {}, the value of `{}` is 0, so the query answers 0 on clusters that this selector names",
                        listed(&values, "or"),
                        trap.metric
                    ),
                    help: "wrap the selector in `group(…)`, which returns 1 wherever there is a series".into(),
                    ..QueryFault::default()
                }
            })
            .collect()
    });
}
