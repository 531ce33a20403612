//! An `olm.constraint` that OLM cannot read.

use std::collections::BTreeMap;

use crate::catalog::declared::PropertyValue;
use crate::catalog::resolver::constraint_fault;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::Span;

use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC128",
    name: "invalid-constraint",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an `olm.constraint` that OLM cannot read",
    explanation: "\
OLM reads `olm.constraint` only when it installs the bundle: `opm validate` does not check it.
If OLM cannot read a constraint, it can neither install nor update anything in the namespace.

A constraint has one of `gvk`, `package`, `cel`, `all`, `any`, and `not`, and can have a
`failureMessage`. `all`, `any`, and `not` have a list `constraints`. OLM does not know any other
key, and reads the range of `package` like a `skipRange`.",
    bad: "\
properties:
- type: olm.constraint
  value:
    package:
      name: other
      versionRange: '>=1.0.0'",
    good: "\
properties:
- type: olm.constraint
  value:
    package:
      packageName: other
      versionRange: '>=1.0.0'",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    // Bundles of one package usually share a constraint, so equal faults are one finding.
    let mut faults: BTreeMap<(&str, String), Vec<Span>> = BTreeMap::new();
    for bundle in &subject.declared.bundles {
        for property in &bundle.properties {
            let PropertyValue::Constraint(constraint) = &property.value else { continue };
            if let Some(why) = constraint_fault(constraint) {
                faults.entry((&bundle.package.value, why)).or_default().push(property.span);
            }
        }
    }
    for ((_, why), places) in faults {
        let more = of_several(places.len(), "bundles have it");
        let message = format!(
            "OLM cannot read this `olm.constraint` ({}), so it installs and updates nothing in a \
             namespace with this bundle{more}",
            whole(&why)
        );
        let help = "write one of `gvk`, `package`, `cel`, `all`, `any`, and `not`, with their own \
                    keys only";
        let finding = one_finding(&RULE, &places, message, "this bundle has it too");
        findings.extend(finding.map(|finding| finding.help(help)));
    }
}
