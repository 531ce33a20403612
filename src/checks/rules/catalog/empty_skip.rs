//! An empty text among the skips of an entry.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC019",
    name: "empty-skip",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an item of `skips` that is empty",
    explanation: "\
Each item of `skips` is the name of a bundle. opm refuses a catalog with an empty item: none
of its operators can be installed or updated. The usual cause is a template with a variable
that is not set, or a `- ` without a name.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skips:
  - \"\"",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skips:
  - example.v1.0.0",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::EmptySkip = &objection.kind else { return None };
    let message = format!("an item of `skips` is empty, {REFUSED}");
    let help = "remove the item, or write the name of the bundle to skip";
    Some(Finding::at(&RULE, objection.span, message).help(help))
}
