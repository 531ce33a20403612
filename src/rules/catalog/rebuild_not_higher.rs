//! A rebuild whose version is not above that of the bundle that it substitutes for.

use crate::catalog::substitution::{FaultKind, Requests};
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "OC133",
    name: "rebuild-not-higher",
    aliases: &[],
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a rebuild whose version is not higher than that of its base",
    explanation: "\
opm refuses a template with such a substitution. OLM v1 never goes to a lower version, so installs of
the base stay on it. A pre-release is lower than its version: `1.0.0-1` is below `1.0.0`.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.0.0-1
properties:
- type: olm.package
  value: {packageName: example, version: 1.0.0-1}
- type: olm.csv.metadata
  value:
    annotations: {olm.substitutesFor: example.v1.0.0}",
    good: "\
schema: olm.bundle
package: example
name: example.v1.0.1
properties:
- type: olm.package
  value: {packageName: example, version: 1.0.1}
- type: olm.csv.metadata
  value:
    annotations: {olm.substitutesFor: example.v1.0.0}",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for fault in Requests::of(subject.declared).faults {
        if matches!(fault.kind, FaultKind::NotHigher { .. }) {
            let finding = Finding::at(&RULE, fault.span, fault.kind.message());
            findings.push(finding.help(fault.kind.help()));
        }
    }
}
