//! Updates that form a cycle.

use crate::domain::HashMap;
use crate::graph::Cycles;
use crate::graph::cincinnati::GraphNodeId;
use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};
use crate::text::Span;
use crate::text::words::grouped;

pub(super) static RULE: Rule = Rule {
    code: "EP709",
    name: "graph-cycle",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "unconditional edges that form a cycle",
    explanation: "\
Updates lead from older releases to newer ones, and never back. If the graph has a
cycle, the service rejects the whole graph and continues to serve an old one. The
finding shows a shortest cycle. Its edge to an older release is the one that is wrong.",
    bad: "\"edges\": [[0, 1], [1, 2], [2, 0]]",
    good: "\"edges\": [[0, 1], [1, 2], [0, 2]]",
    check: Check::Graph(check),
};

/// The most releases of a cycle in a message.
const NAMED: usize = 8;

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let Some(cycles) = Cycles::of(&subject.adjacency()) else { return };
    let cycle = &cycles.shortest;
    let path = cycle.iter().take(NAMED).map(|node| subject.name(*node));
    let mut path: Vec<String> = path.collect();
    if cycle.len() > NAMED {
        path.push(format!("({} more)", grouped(cycle.len() - NAMED)));
    }
    path.extend(cycle.first().map(|first| subject.name(*first)));
    let others = match cycles.groups - 1 {
        0 => String::new(),
        1 => " (there is also a cycle in one other part of the graph)".to_owned(),
        n => format!(" (there are also cycles in {n} other parts of the graph)"),
    };
    let message =
        format!("{} is a cycle: the service rejects the whole graph{others}", path.join(" → "));
    let mut spans = spans(subject, cycle).into_iter();
    let Some(first) = spans.next() else { return };
    let finding =
        Finding::at(&RULE, first, message).help("remove the edge that leads to an older release");
    findings.push(
        spans
            .take(5)
            .fold(finding, |finding, span| finding.related(span, "this edge is part of the cycle")),
    );
}

/// The places of the edges of a cycle, with the edge to an older release first.
fn spans(subject: &GraphSubject<'_>, cycle: &[GraphNodeId]) -> Vec<Span> {
    let next = cycle.iter().cycle().skip(1);
    let mut steps: HashMap<GraphNodeId, GraphNodeId> =
        cycle.iter().copied().zip(next.copied()).collect();
    let mut found: Vec<(bool, Span)> = Vec::new();
    for update in subject.open() {
        // A repeated edge is shown once.
        if steps.get(&update.from) == Some(&update.to) {
            steps.remove(&update.from);
            let leads_back = subject.ends(update).is_some_and(|(from, to)| to < from);
            found.push((!leads_back, update.span));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, span)| span).collect()
}
