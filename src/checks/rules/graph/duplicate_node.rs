//! Two nodes with the same version.

use crate::domain::version::strip_build;
use crate::domain::{FastHash, HashMap};
use crate::graph::cincinnati::GraphNodeId;
use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP705",
    name: "duplicate-node",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "two nodes with the same version",
    explanation: "\
The service rejects a graph in which a version occurs twice. A cluster uses the first
node with its version as its own, and never offers the updates of the other nodes. Other
clusters see the release several times, once for each node. In a response to clusters, versions that differ only after the `+` are the same.",
    bad: "\"nodes\": [{\"version\": \"4.14.1\"}, {\"version\": \"4.14.1\"}]",
    good: "\"nodes\": [{\"version\": \"4.14.1\"}, {\"version\": \"4.14.2\"}]",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    // The whole graph lists a version once for each architecture, with different build metadata. An
    // answer to a cluster is for one architecture, and clusters ignore build metadata.
    let is_answer = subject.graph.version.is_some();
    let mut seen: HashMap<&str, GraphNodeId> =
        HashMap::with_capacity_and_hasher(subject.graph.nodes.len(), FastHash::default());
    let mut again = Tally::default();
    let mut first = None;
    for (id, node) in subject.graph.nodes.entries() {
        let Some(node) = node else { continue };
        let version = node.version.value.as_str();
        let core = if is_answer { strip_build(version) } else { version };
        let earlier = *seen.entry(core).or_insert(id);
        if earlier != id {
            first = first.or(subject.graph.nodes[earlier].as_ref());
            again.add(node.version.span, || {
                let (one, other) = (earlier.index(), id.index());
                format!("`{}` (nodes {one} and {other})", shortened(version))
            });
        }
    }
    let finding = again.finding(&RULE, |which| {
        format!("two nodes have the version {which}: the service rejects the graph; a cluster that gets it uses only the updates of the first node")
    });
    findings.extend(finding.zip(first).map(|(finding, first)| {
        finding
            .related(first.version.span, "the first node is here")
            .help("keep one node, with the edges of both")
    }));
}
