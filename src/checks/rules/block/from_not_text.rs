//! A `from` that makes the service panic.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP102",
    name: "from-not-text",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that is a list or a mapping, which makes the service panic",
    explanation: "\
Other mistakes affect only one file. This one stops the whole service: it panics instead
of skipping the file, and builds no new graph until the file is fixed. To combine
several patterns, join them with `|`.",
    bad: "\
to: 4.14.3
from:
- 4[.]13[.]1
- 4[.]13[.]2",
    good: "\
to: 4.14.3
from: ^4[.]13[.](1|2)[+].*$",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let kind = subject.document()?.kind(fault.node);
    if fault.part != "from"
        || fault.problem != Problem::Type
        || !matches!(kind, ValueKind::List | ValueKind::Mapping)
    {
        return None;
    }
    let message = format!(
        "`from` is {}, which makes the service panic: it builds no new graph",
        kind.with_article()
    );
    let finding = Finding::at(&RULE, subject.span(fault.node), message);
    Some(finding.help("write one regular expression, and join its alternatives with `|`"))
}
