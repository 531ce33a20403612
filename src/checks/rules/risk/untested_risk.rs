//! A risk with a query and without a test.

use std::collections::BTreeSet;

use crate::graph_data::GraphData;
use crate::risks::{Risks, TestFile};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP234",
    name: "untested-risk",
    properties: Properties { is_on_by_default: false, ..Properties::OF_TEXTS },
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk with a query that no file in `risk-tests/` tests",
    explanation: "\
Nobody runs the query of a risk before clusters do. A test says to which clusters the
risk applies, and `exitpath test` runs it: on sample clusters, or on series that the
author writes. `exitpath test --new RISK` writes a first test file.

This rule is off by default. To turn it on, give it a severity in `exitpath.toml`, or
name it in `--select`.",
    bad: "\
# No file in risk-tests/ has `risk: ExampleRisk`.
name: ExampleRisk
matchingRules:
- type: PromQL
  promql:
    promql: max(cluster_proxy_enabled{type=~\"https?\"})",
    good: "\
# risk-tests/ExampleRisk.yaml
risk: ExampleRisk
tests:
- cluster: vsphere
  expect: applies
- cluster: aws
  expect: not-applies",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let files = TestFile::all(data).filter_map(|file| file.tests.ok());
    let tested: BTreeSet<String> = files.map(|tests| tests.risk.value.to_string()).collect();
    for (name, definitions) in Risks::of(data).iter() {
        let asks = definitions.iter().any(|definition| definition.queries().next().is_some());
        if !asks || tested.contains(name) {
            continue;
        }
        let newest = definitions.first().and_then(|definition| definition.edges.last());
        let Some(place) = newest.and_then(|edge| edge.name.as_ref()) else { continue };
        let message =
            format!("no test says to which clusters the risk `{}` applies", shortened(name));
        let help = format!(
            "write a first test with `exitpath test --new {}`, and correct what it expects",
            shortened(name)
        );
        findings.push(Finding::at(&RULE, place.span, message).help(help));
    }
}
