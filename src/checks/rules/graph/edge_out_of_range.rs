//! An edge that refers to a node that does not exist.

use crate::text::Span;

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP706",
    name: "edge-out-of-range",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "an edge with an index beyond the end of `nodes`",
    explanation: "\
An edge is a pair of indexes into the list of nodes, counted from 0. Clusters do not
check whether the second node exists: the cluster-version operator crashes in a loop on
all clusters that run the first node's release. The service rejects the whole graph.",
    bad: "{\"nodes\": [{\"version\": \"4.14.1\"}, {\"version\": \"4.14.2\"}], \"edges\": [[0, 2]]}",
    good: "{\"nodes\": [{\"version\": \"4.14.1\"}, {\"version\": \"4.14.2\"}], \"edges\": [[0, 1]]}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let written = |span: Span| format!("`{}`", shortened(&subject.text[span.range()]));
    let (mut crashing, mut dead) = (Tally::default(), Tally::default());
    for edge in &subject.graph.edges {
        if !subject.graph.has(edge.from) {
            dead.add(edge.span, || written(edge.span));
        } else if !subject.graph.has(edge.to) {
            crashing.add(edge.span, || {
                format!("{} from {}", written(edge.span), subject.name(edge.from))
            });
        }
    }
    let help = match subject.graph.nodes.len() {
        0 => "there are no nodes: remove the edge".to_owned(),
        1 => "the only index is 0: remove the edge".to_owned(),
        n => format!("use an index from 0 to {}, or remove the edge", n - 1),
    };
    let crashing = crashing.finding(&RULE, |edge| {
        format!("the edge {edge} leads to a node that does not exist: on clusters at this release, the cluster-version operator crashes")
    });
    let dead = dead.finding(&RULE, |edge| {
        format!("the edge {edge} leads from a node that does not exist: the service rejects the whole graph")
    });
    findings.extend(crashing.into_iter().chain(dead).map(|finding| finding.help(help.clone())));
}
