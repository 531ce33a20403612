//! Bundles of a package with the same version.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{listed, quoted};

use super::shared::{REFUSED, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC018",
    name: "duplicate-bundle-version",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "bundles of one package with the same version",
    explanation: "\
In a package, each bundle has its own version: ranges select bundles by version. Since version
1.47, opm refuses a catalog with two bundles of the same version: none of its operators can be
installed or updated.

The version is in the property `olm.package`, not in the name. A rebuild has a higher version, or
the same version and a `release`.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0
properties:
- type: olm.package
  value: {packageName: example, version: 1.0.0}
---
schema: olm.bundle
package: example
name: example.v1.0.1
image: registry.example.com/example:v1.0.1
properties:
- type: olm.package
  value: {packageName: example, version: 1.0.0}",
    good: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0
properties:
- type: olm.package
  value: {packageName: example, version: 1.0.0}
---
schema: olm.bundle
package: example
name: example.v1.0.1
image: registry.example.com/example:v1.0.1
properties:
- type: olm.package
  value: {packageName: example, version: 1.0.1}",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::DuplicateVersion { version, bundles } = &objection.kind else { return None };
    let names: Vec<String> = bundles.iter().map(|name| whole(name)).collect();
    let message = format!(
        "bundles {} have the same version, {}, {REFUSED}",
        listed(&quoted(&names), "and"),
        whole(version)
    );
    let help = "correct the `version` in the property `olm.package` of one of them, or remove it; a \
                rebuild needs a higher version or a `release`";
    let finding = Finding::at(&RULE, objection.span, message).help(help);
    Some(with_related(finding, objection.related.iter().copied(), "the same version"))
}
