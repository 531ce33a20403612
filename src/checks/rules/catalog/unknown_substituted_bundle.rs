//! A rebuild of a bundle that the package does not have.

use crate::catalog::substitution::{FaultKind, Requests};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "OC132",
    name: "unknown-substituted-bundle",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a bundle that substitutes for one that the package does not have",
    explanation: "\
A rebuild takes the place of the bundle that it names, by exactly this name. If no bundle has the
name, the rebuild takes the place of none, unless entries still name a bundle that was removed.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.0.1
properties:
- type: olm.csv.metadata
  value:
    annotations: {olm.substitutesFor: 1.0.0}",
    good: "\
schema: olm.bundle
package: example
name: example.v1.0.1
properties:
- type: olm.csv.metadata
  value:
    annotations: {olm.substitutesFor: example.v1.0.0}",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for fault in Requests::of(subject.declared).faults {
        if matches!(fault.kind, FaultKind::UnknownBase { .. }) {
            let finding = Finding::at(&RULE, fault.span, fault.kind.message());
            findings.push(finding.help(fault.kind.help()));
        }
    }
}
