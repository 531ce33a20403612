//! A file with nothing in it.

use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Subject};
use crate::schema::Fault;

use super::shared::says_file_is_empty;

pub(super) static RULE: Rule = Rule {
    code: "EP020",
    name: "empty-file",
    properties: Properties::USUAL,
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
    if !says_file_is_empty(subject, fault) {
        return None;
    }
    let place = Place::File(subject.file.id);
    let finding =
        Finding::on(&RULE, place, "this file declares nothing: it is empty or has only comments");
    Some(finding.help("delete the file, or write the intended content"))
}
