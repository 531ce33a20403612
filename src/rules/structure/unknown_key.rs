//! A key that no reader knows.

use crate::graph_data::Kind;

use crate::rules::{Check, Family, Finding, Rule, Severity, Subject, shortened};
use crate::schema::{Fault, Problem};
use crate::text::is_typo_of;
use crate::text::words::{list_all, quoted};

pub(super) static RULE: Rule = Rule {
    code: "EP021",
    name: "unknown-key",
    aliases: &[],
    family: Family::Structure,
    severity: Severity::Warning,
    summary: "a key that no reader knows",
    explanation: "\
The service ignores an unknown key in a risk or a channel, so the key has no effect.
Most often it is a typo in a known key (`fixedin`, `tombstone`).

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
        Kind::BuildSuggestions => "the build tools do not know it",
        Kind::InternalChannel => "the promotion bot does not know it",
        _ => "the service ignores it",
    };
    let message = format!("`{}` is not a valid key here: {effect}", shortened(key));
    let finding = Finding::at(&RULE, subject.span(*key_node), message);
    let Some(meant) = meant else {
        let known =
            if known.is_empty() { "none".to_owned() } else { list_all(&quoted(known), "and") };
        return Some(finding.help(format!("valid keys here: {known}")));
    };
    let finding = finding.help(format!("did you mean `{meant}`?"));
    Some(if is_typo_of(key, meant) { subject.renaming(finding, *key_node, meant) } else { finding })
}
