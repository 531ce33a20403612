//! A file of Cincinnati JSON that cannot be read.

use crate::graph::cincinnati::MAX_GRAPH;
use crate::rules::shared::files::why_unreadable;
use crate::rules::{Check, Family, Finding, GraphSubject, Place, Properties, Rule, Severity};
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP701",
    name: "not-a-graph",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a file that cannot be read as an update graph: truncated, or not JSON",
    explanation: "\
An update graph is one JSON object with `nodes` and `edges`. A truncated download, an
error page, or a file that is not UTF-8 is not an update graph. A cluster that
receives it keeps the updates that it knew, and reports that it could not retrieve
newer ones.

exitpath reads at most 128 MiB. The whole graph of the service, with all channels and
architectures, is about 30 MiB.",
    bad: "{\"nodes\": [{\"version\": \"4.14.",
    good: "{\"nodes\": [{\"version\": \"4.14.1\"}], \"edges\": []}",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let id = subject.file.id;
    if let Some(why) = &subject.file.unreadable {
        let too_large = "the whole graph of the service is about 30 MiB: this is something else";
        let (message, help) = why_unreadable(why, MAX_GRAPH, too_large);
        findings.push(Finding::on(&RULE, Place::File(id), message).help(help));
        return;
    }
    if let Some(at) = subject.file.stray_byte {
        let stray = Span::new(id, at..subject.text.ceil_char_boundary(at + 1));
        let message = "this is not UTF-8 text: the byte here is invalid, so the service rejects the whole graph";
        findings.push(Finding::at(&RULE, stray, message).help("save the file as UTF-8"));
    }
    for fault in subject.graph.faults.iter().filter(|fault| fault.is_fatal) {
        let is_blank = subject.text.trim().is_empty();
        let (place, message) = if is_blank {
            (Place::File(id), "this file is empty".to_owned())
        } else {
            (
                Place::Text(fault.span),
                format!("this file cannot be read as an update graph: {}", fault.why),
            )
        };
        let help = "download it again from the service; `exitpath schema graph` describes the expected format";
        findings.push(Finding::on(&RULE, place, message).help(help));
    }
}
