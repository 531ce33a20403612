//! A URL that the Kubernetes API refuses.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP202",
    name: "invalid-url",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "a risk's `url` that is not a URI",
    explanation: "\
The service passes the text on. The Kubernetes API refuses a status in which a risk's
`url` is not a URI. All clusters that are offered the update then fail to store their
list of updates, and keep an old one.",
    bad: "url: see BUG-1",
    good: "url: https://issues.example.com/browse/BUG-1",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.part != "uri" || fault.problem != Problem::Pattern {
        return None;
    }
    let message = format!(
        "`{}` is not a URI, so clusters cannot store an update with it",
        subject.quoted(fault.node)
    );
    let finding = Finding::at(&RULE, subject.span(fault.node), message);
    Some(finding.help("give the full address of a page: `https://…`"))
}
