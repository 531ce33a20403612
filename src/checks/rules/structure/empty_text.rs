//! A required text that is empty.

use crate::graph_data::FileKind;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP027",
    name: "empty-text",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Error,
    summary: "an empty name, url, or message of a risk, or an empty name of a channel",
    explanation: "\
The service accepts an empty `name`, `url`, or `message` as it is. The Kubernetes API
does not. It rejects the whole status that a cluster writes with such a risk in it, so
the cluster keeps an old list of updates.",
    bad: "\
name: ExampleRisk
url: https://issues.example.com/browse/BUG-1
message:",
    good: "\
name: ExampleRisk
url: https://issues.example.com/browse/BUG-1
message: Nodes may not come back after their first reboot.",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let is_own_part = matches!(
        fault.part.as_str(),
        "name" | "url" | "message" | "autoExtend" | "platform" | "description"
    );
    let is_in_feeder = fault.pointer.starts_with("/feeder/");
    let absent = || Some(subject.document()?.kind(fault.node) == ValueKind::Null);
    let empty = match fault.problem {
        Problem::Empty => true,
        Problem::Type => absent()?,
        _ => false,
    };
    if !is_own_part || !empty || is_in_feeder || subject.file.kind == FileKind::RawMetadata {
        return None;
    }
    let key = fault.pointer.rsplit('/').next().unwrap_or_default();
    let span = subject.visible_span(fault.node, &fault.pointer);
    let effect = match key {
        "name" if subject.file.kind == FileKind::Channel => {
            ", and a public channel name without `-` crashes the service"
        }
        "name" | "url" | "message" if subject.file.kind == FileKind::BlockedEdge => {
            ", and clusters cannot store an update with a risk that has no text there"
        }
        _ => "",
    };
    let written = subject.quoted(fault.node);
    if !written.is_empty() {
        let message = format!(
            "`{key}` is `{written}`: the service reads that text, but other tools read nothing"
        );
        return Some(Finding::at(&RULE, span, message).help("write the intended text"));
    }
    let finding = Finding::at(&RULE, span, format!("`{key}` is empty{effect}"));
    Some(finding.help("add the missing text"))
}
