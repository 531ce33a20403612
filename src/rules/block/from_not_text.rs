//! A `from` that brings the service down.

use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::Kind;

pub(super) static RULE: Rule = Rule {
    code: "EP102",
    name: "from-not-text",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that is a list or a mapping, on which the service panics",
    explanation: "\
Where other mistakes cost one file, this one stops the service's reader: it panics
instead of skipping the file, and no new graph is built until it is mended. Several
patterns become one with `|`.",
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
        || !matches!(kind, Kind::List | Kind::Mapping)
    {
        return None;
    }
    let message = format!(
        "`from` is {}, and the service panics on it: no new graph is built",
        kind.with_article()
    );
    let finding = Finding::at(&RULE, subject.span(fault.node), message);
    Some(finding.help("write one regular expression, its alternatives joined with `|`"))
}
