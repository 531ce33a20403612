//! A node with an invalid version.

use crate::domain::version;

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP704",
    name: "not-a-version",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a node whose version is not a semantic version",
    explanation: "\
A cluster parses the versions of all nodes before it looks for its own. If one is not
a semantic version, the cluster rejects the whole response (`ResponseInvalid`), no
matter where in the graph the node is. The service returns an error instead of the
graph.",
    bad: "{\"version\": \"v4.14.1\"}",
    good: "{\"version\": \"4.14.1\"}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let mut bad = Tally::default();
    for (node, version) in subject.graph.nodes.iter().zip(&subject.versions) {
        if let (Some(node), None) = (node, version) {
            bad.add(node.version.span, || {
                let text = &node.version.value;
                let why = version::fault(text).unwrap_or_default();
                format!("`{}` ({why})", shortened(text))
            });
        }
    }
    let finding = bad.finding(&RULE, |version| {
        format!("{version} is not a version, so all clusters reject the whole response")
    });
    findings
        .extend(finding.map(|f| f.help("versions have three numbers: `4.14.1`, `4.14.0-rc.1`")));
}
