//! Parts of a graph that do not have the structure that its readers expect.

use crate::domain::HashMap;
use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity};
use crate::text::words::grouped;

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP702",
    name: "malformed-graph",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a part of a graph that does not match `exitpath schema graph`",
    explanation: "\
Readers of graphs are strict. A missing key, a number instead of text, or an edge of
three numbers makes the service, or a cluster, reject the whole graph, not only this
part. Clusters keep the updates that they knew, or lose them.

exitpath still checks the other parts. The findings show only the first places of each
kind of error.",
    bad: "{\"nodes\": [{\"version\": \"4.14.1\"}, {\"payload\": \"x\"}], \"edges\": [[0]]}",
    good: "{\"nodes\": [{\"version\": \"4.14.1\"}, {\"version\": \"4.14.2\"}], \"edges\": [[0, 1]]}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let mut kinds: Vec<(&str, Tally)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::default();
    for fault in subject.graph.faults.iter().filter(|fault| !fault.is_fatal) {
        let at = *places.entry(&fault.why).or_insert_with(|| {
            kinds.push((&fault.why, Tally::default()));
            kinds.len() - 1
        });
        kinds[at].1.add(fault.span, String::new);
    }
    let more = subject.graph.more_faults;
    for (why, tally) in kinds {
        let finding =
            tally.finding(&RULE, |_| format!("{why}: strict readers reject the whole graph"));
        let help = match more {
            0 => "`exitpath schema graph` describes the expected format".to_owned(),
            more => format!("this file has many errors: {} more are not listed", grouped(more)),
        };
        findings.extend(finding.map(|finding| finding.about(why).help(help)));
    }
}
