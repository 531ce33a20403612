//! A key that no reader knows.

use crate::graph_data::{DataFile, FileKind};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject, shortened};
use crate::schema::{Fault, Problem};
use crate::text::is_typo_of;
use crate::text::words::{list_all, quoted};

pub(super) static RULE: Rule = Rule {
    code: "EP021",
    name: "unknown-key",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Warning,
    summary: "a key that no reader knows",
    explanation: "\
The service ignores an unknown key in a risk or a channel, so the key has no effect.
Most often it is a typo in a known key (`fixedin`, `tombstone`).

The repository's presubmit refuses an unknown key in some files of a risk, but not in others: then
it is an error. In a matching rule, it is always one.

A block (only `to` and `from`) is different: any other key makes the service drop the
file. See `neither-block-nor-risk`.",
    bad: "\
name: ExampleRisk
fixedin: 4.14.5",
    good: "\
name: ExampleRisk
fixedIn: 4.14.5",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let Problem::UnknownKey { key, key_node, meant, known } = &fault.problem else { return None };
    if fault.part == "block" {
        return None;
    }
    let effect = match subject.file.kind {
        FileKind::BuildSuggestions => "the build tools do not know it",
        FileKind::InternalChannel => "the promotion bot does not know it",
        _ => "the service ignores it",
    };
    let (and, severity) = if fault.pointer.is_empty() && differs_from_its_risk(subject, key) {
        (
            ", and its risk has other files without it, so the repository's presubmit refuses it",
            Severity::Error,
        )
    } else if fault.pointer.starts_with("/matchingRules") && !lacks_query(subject, fault) {
        (", and the repository's presubmit refuses it", Severity::Error)
    } else {
        ("", RULE.severity)
    };
    let message = format!("`{}` is not a valid key here: {effect}{and}", shortened(key));
    let finding = Finding::at(&RULE, subject.span(*key_node), message).severity(severity);
    let Some(meant) = meant else {
        let known =
            if known.is_empty() { "none".to_owned() } else { list_all(&quoted(known), "and") };
        return Some(finding.help(format!("valid keys here: {known}")));
    };
    let finding = finding.help(format!("did you mean `{meant}`?"));
    Some(if is_typo_of(key, meant) { subject.renaming(finding, *key_node, meant) } else { finding })
}

/// Whether the key is where the query should be: `empty-promql` reports that it is missing.
fn lacks_query(subject: &Subject<'_>, fault: &Fault) -> bool {
    let query = subject.document().and_then(|document| document.get(fault.node, "promql"));
    fault.pointer.ends_with("/promql") && query.is_none()
}

/// Whether a file of a risk has a key that other files of the risk do not have, or have with
/// another value.
fn differs_from_its_risk(subject: &Subject<'_>, key: &str) -> bool {
    let data = subject.data;
    let own = data.blocked_edges.iter().find(|edge| edge.file == subject.file.id);
    let Some(name) = own.and_then(|own| own.name.as_ref()) else { return false };
    let value = |file: &DataFile| {
        let node = file.document()?.top(key)?;
        Some(data.sources.slice(file.span(node)))
    };
    let here = value(subject.file);
    let files = data
        .blocked_edges
        .iter()
        .filter(|edge| edge.name.as_ref().is_some_and(|other| other.value == name.value));
    files.map(|edge| data.file(edge.file)).any(|file| value(file) != here)
}
