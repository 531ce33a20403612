//! An empty pattern, which matches everything.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP101",
    name: "empty-from",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Error,
    summary: "an empty `from`, which matches all releases",
    explanation: "\
An empty pattern matches anywhere in any text. A `from:` without a value affects all
updates to the target, from all releases. If you mean all releases, write `.*`.",
    bad: "\
to: 4.14.3
from:",
    good: "\
to: 4.14.3
from: .*",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let absent = subject.document()?.kind(fault.node) == ValueKind::Null;
    let empty = fault.problem == Problem::Empty || fault.problem == Problem::Type && absent;
    if fault.part != "from" || !empty {
        return None;
    }
    let written = subject.quoted(fault.node);
    let message = if written.is_empty() {
        "`from` is empty, which matches all releases: it affects all updates to this target"
            .to_owned()
    } else {
        format!(
            "`from` is `{written}`: most tools read this as no value, but the service reads it as text, which matches no release"
        )
    };
    let span = subject.visible_span(fault.node, &fault.pointer);
    Some(Finding::at(&RULE, span, message).help("write `.*` if you mean all releases"))
}
