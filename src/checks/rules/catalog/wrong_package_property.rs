//! The property `olm.package` is missing, repeated, or about another package.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::{REFUSED, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC008",
    name: "wrong-package-property",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a bundle whose property `olm.package` is missing, repeated, or of another package",
    explanation: "\
The property `olm.package` of a bundle says its package and its version. Each bundle has
exactly one, and its `packageName` is the `package` of the bundle. opm refuses a
catalog with any other bundle: none of its operators can be installed or updated.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0
properties:
- type: olm.package
  value:
    packageName: other
    version: 1.0.0",
    good: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0
properties:
- type: olm.package
  value:
    packageName: example
    version: 1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let span = objection.span;
    match &objection.kind {
        ObjectionKind::PackageProperties(count) => {
            let bundle = subject.declared.bundle_around(span)?;
            let name = whole(&bundle.name.value);
            if *count == 0 {
                let message = format!(
                    "bundle `{name}` has no property `olm.package` and so no version, {REFUSED}"
                );
                let help = "add a property with `type: olm.package` and, in its `value`, \
                            `packageName` and `version`";
                return Some(Finding::at(&RULE, span, message).help(help));
            }
            let message =
                format!("bundle `{name}` has {count} properties `olm.package`, {REFUSED}");
            let finding = Finding::at(&RULE, span, message).help("keep one of them");
            let properties = bundle.properties.iter().filter(|p| p.kind.value == "olm.package");
            Some(with_related(finding, properties.map(|p| p.kind.span), "one of them is here"))
        }
        ObjectionKind::OtherPackage { package, named } => {
            let package = whole(package);
            let message = match named.as_str() {
                "" => format!("this property `olm.package` has no `packageName`, {REFUSED}"),
                named => format!(
                    "this property names package `{}`, but the bundle belongs to `{package}`, \
                     {REFUSED}",
                    whole(named)
                ),
            };
            let help = format!("write `packageName: {package}`, or correct the bundle's `package`");
            let finding = Finding::at(&RULE, span, message).help(help);
            Some(match subject.declared.bundle_around(span) {
                Some(bundle) => {
                    finding.related(bundle.package.span, "the package of the bundle is here")
                }
                None => finding,
            })
        }
        _ => None,
    }
}
