//! A mapping that has a key twice.

use crate::catalog::declared::OddityKind;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "OC118",
    name: "repeated-field",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a key that a mapping has twice, so opm drops the first value",
    explanation: "\
opm takes the last value and drops the others without an error. An entry with two lists
`skips` only skips what the second one names. Keep one of the keys, with all that is meant.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.2.0
  skips: [example.v1.0.0]
  skips: [example.v1.1.0]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.2.0
  skips: [example.v1.0.0, example.v1.1.0]",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for oddity in &subject.declared.oddities {
        if oddity.kind == OddityKind::RepeatedKey {
            let message = "this mapping has the key twice: opm takes the last value and drops the \
                           other";
            let help = "keep one of the keys; a list needs only one key for all of its items";
            findings.push(Finding::at(&RULE, oddity.span, message).help(help));
        }
    }
}
