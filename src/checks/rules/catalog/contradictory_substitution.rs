//! Substitutions that contradict each other.

use crate::catalog::substitution::{FaultKind, Requests};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity};

use super::shared::with_related;

pub(super) static RULE: Rule = Rule {
    code: "OC131",
    name: "contradictory-substitution",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "two bundles substitute for one, or bundles substitute for each other",
    explanation: "\
A rebuild says which bundle it substitutes for: in the annotation `olm.substitutesFor` of its
ClusterServiceVersion, or in a template. Other entries then mean the latest rebuild where they name
the bundle. With two rebuilds of one bundle, or with a circle, no rebuild is the latest.

Rebuild the rebuild: the second one substitutes for the first one.",
    bad: "\
schema: olm.template.substitutes
entries: [...]
substitutions:
- name: quay.io/example/bundle:v1.0.1
  base: example.v1.0.0
- name: quay.io/example/bundle:v1.0.2
  base: example.v1.0.0",
    good: "\
schema: olm.template.substitutes
entries: [...]
substitutions:
- name: quay.io/example/bundle:v1.0.1
  base: example.v1.0.0
- name: quay.io/example/bundle:v1.0.2
  base: example.v1.0.1",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for fault in Requests::of(subject.declared).faults {
        if matches!(fault.kind, FaultKind::Contradiction(_)) {
            let finding = Finding::at(&RULE, fault.span, fault.kind.message());
            let finding = with_related(finding, fault.related, "this substitution contradicts it");
            findings.push(finding.help(fault.kind.help()));
        }
    }
}
