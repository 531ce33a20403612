//! A list in place of text, or text in place of a list.

use crate::graph_data::FileKind;
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

use crate::rules::shared::words::effect_of_bad_value;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

use super::shared::says_file_is_empty;

pub(super) static RULE: Rule = Rule {
    code: "EP023",
    name: "wrong-type",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Error,
    summary: "a list, mapping, or text where something else belongs",
    explanation: "\
The service expects one type for each value. A list where text belongs, or text where a
list belongs, makes it drop the file: it offers the updates to all clusters, or does
not serve the channel.",
    bad: "\
name: stable-4.14
versions: 4.14.3",
    good: "\
name: stable-4.14
versions:
- 4.14.3",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let written = subject.document()?.kind(fault.node);
    let expected = expected(fault);
    let is_collection = matches!(written, ValueKind::List | ValueKind::Mapping);
    let is_own_fault = match fault.part.as_str() {
        _ if says_file_is_empty(subject, fault) => false,
        _ if fault.pointer.starts_with("/feeder") && subject.file.kind != FileKind::RawMetadata => {
            false
        }
        "from" => false,
        "matchingRules" | "promql" => written != ValueKind::Null,
        // `unquoted-text` reports numbers and the like, except in JSON.
        _ if expected == "text" => is_collection || subject.file.kind == FileKind::RawMetadata,
        _ => true,
    };
    // No other rule reports a list or mapping in place of one of a few words.
    let is_word = matches!(fault.problem, Problem::NotOneOf) && is_collection;
    if !(fault.problem == Problem::Type || is_word) || !is_own_fault {
        return None;
    }
    let span = subject.visible_span(fault.node, &fault.pointer);
    let what = match fault.pointer.rsplit('/').next() {
        None | Some("") => "this file".to_owned(),
        Some(key) if key.parse::<usize>().is_ok() => "this item".to_owned(),
        Some(key) => format!("`{key}`"),
    };
    let effect = effect_of_bad_value(subject.file.kind, &fault.pointer);
    let message =
        format!("expected {expected}, but {what} is {}, {effect}", written.with_article());
    Some(Finding::at(&RULE, span, message).help(format!("make it {expected}")))
}

fn expected(fault: &Fault) -> &'static str {
    match fault.part.as_str() {
        "" | "rule" | "promql" | "feeder" | "ranges" | "metadata" | "clusters" => "a mapping",
        "matchingRules" | "versions" => "a list",
        _ => "text",
    }
}
