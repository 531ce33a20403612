//! A document of a package that does not exist.

use crate::catalog::{Objection, ObjectionKind, Owner};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::closest;

use super::shared::{REFUSED, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC007",
    name: "unknown-package",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a channel, bundle, or deprecation of a package that the catalog does not have",
    explanation: "\
The `package` of channels, bundles, and deprecations is the `name` of a document
`olm.package` in the same catalog. opm refuses a catalog with any other package: none of its
operators can be installed or updated.",
    bad: "\
schema: olm.package
name: example
defaultChannel: stable
---
schema: olm.channel
package: exmaple
name: stable
entries:
- name: example.v1.0.0",
    good: "\
schema: olm.package
name: example
defaultChannel: stable
---
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::UnknownPackage { owner, package } = &objection.kind else { return None };
    let what = match owner {
        Owner::Deprecation => "these deprecations belong",
        Owner::Bundle => "this bundle belongs",
        _ => "this channel belongs",
    };
    let name = whole(package);
    let message =
        format!("{what} to package `{name}`, which this catalog does not have, {REFUSED}");
    let known = subject.declared.packages.iter().map(|package| package.name.value.as_str());
    let help = match closest(package, known) {
        Some(meant) => format!("did you mean `{}`?", whole(meant)),
        None => format!("add a document with `schema: olm.package` and `name: {name}`"),
    };
    let finding = Finding::at(&RULE, objection.span, message).help(help);
    Some(with_related(finding, objection.related.iter().copied(), "here too"))
}
