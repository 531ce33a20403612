//! A file with nothing in it.

use crate::rules::{Check, Family, Finding, Place, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::Kind;

pub(super) static RULE: Rule = Rule {
    code: "EP020",
    name: "empty-file",
    aliases: &[],
    family: Family::Structure,
    severity: Severity::Error,
    summary: "a data file with nothing in it",
    explanation: "\
A file that is empty or has only comments declares nothing. The service drops it. Delete
a block instead of commenting it out: git keeps it in the history.",
    bad: "\
# to: 4.14.3
# from: 4[.]13[.].*",
    good: "\
to: 4.14.3
from: 4[.]13[.].*",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if !is_empty_file(subject, fault) {
        return None;
    }
    let place = Place::File(subject.file.id);
    let finding =
        Finding::on(&RULE, place, "this file declares nothing: it is empty or has only comments");
    Some(finding.help("delete the file, or write the intended content"))
}

pub(super) fn is_empty_file(subject: &Subject<'_>, fault: &Fault) -> bool {
    fault.pointer.is_empty()
        && fault.problem == Problem::Type
        && subject.document().is_some_and(|document| document.kind(document.root()) == Kind::Null)
}
