//! A query that answers nothing on some clusters.

use crate::coverage::{Outcome, Witness};
use crate::graph_data::GraphData;

use super::shared::{QueryFault, capital, check_coverage, severity_of};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP620",
    name: "no-answer",
    aliases: &[],
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that answers nothing on some clusters",
    explanation: "\
A cluster that gets no sample cannot tell whether the risk applies: it stays *Unknown*,
the update is not recommended, and after an hour an alert fires. This happens where
every side of an `or` needs a metric that some clusters do not have, such as
`csv_count` without Operator Lifecycle Manager. The finding names such a cluster: it is
an error if many clusters are like it, a warning if few are, and an info if clusters are
like it for a short time. A last fallback over a metric that every cluster has, such as
`cluster_version`, always answers.",
    bad: "\
group(ceph_health_status{_id=\"\"} > 0)
or
0 * group(ceph_health_status{_id=\"\"})",
    good: "\
group(ceph_health_status{_id=\"\"} > 0)
or
0 * group(cluster_version{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    check_coverage(&RULE, data, findings, |covered| {
        let nothing = covered.coverage.witness(|outcome| *outcome == Outcome::NoSample);
        // If it returns nothing, clusters evaluate the next matching rule. A query that never
        // returns 0 is the topic of another rule.
        let is_here = !covered.reading.is_followed && !covered.never_returns_zero();
        nothing.filter(|_| is_here).map(fault).into_iter().collect()
    });
}

fn fault(witness: &Witness) -> QueryFault {
    QueryFault {
        range: witness.blame.clone(),
        message: "on some clusters, this answers nothing: the risk stays Unknown there, and the update is not recommended to them".into(),
        help: format!(
            "{}. Add a last fallback over a metric that every cluster has, such as `or on () 0 * group(cluster_version{{_id=\"\"}})`",
            capital(&witness.sentence())
        ),
        severity: Some(severity_of(witness)),
        ..QueryFault::default()
    }
}
