//! A bundle that no channel has.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC011",
    name: "unlisted-bundle",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a bundle that is not an entry of any channel of its package",
    explanation: "\
OLM installs a bundle only from a channel. opm refuses a catalog with a bundle that no
channel of its package lists: none of its operators can be installed or updated.

Add the bundle to the `entries` of a channel, with the `replaces`, `skips`, or `skipRange` that
lead to it. If it is not to be published, remove the bundle.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
---
schema: olm.bundle
package: example
name: example.v1.1.0
image: registry.example.com/example:v1.1.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
---
schema: olm.bundle
package: example
name: example.v1.1.0
image: registry.example.com/example:v1.1.0",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Unlisted(name) = &objection.kind else { return None };
    // If the name is empty, another rule reports the missing name.
    if name.is_empty() {
        return None;
    }
    let message = format!("bundle `{}` is not an entry of any channel, {REFUSED}", whole(name));
    let help = format!(
        "add `- name: {}` to the entries of a channel, with a `replaces`, or remove the bundle",
        whole(name)
    );
    Some(Finding::at(&RULE, objection.span, message).help(help))
}
