//! A bundle whose name contains another version than its property `olm.package`.

use crate::catalog::declared::PropertyValue;
use crate::go::semver::Version;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::split_name;

pub(super) static RULE: Rule = Rule {
    code: "OC115",
    name: "bundle-name-version",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a bundle whose name says another version than its `olm.package` property",
    explanation: "\
OLM takes the version of a bundle from its property `olm.package`, and people take it from
the name. If the two differ, one of them was probably forgotten when the bundle was
copied. `skipRange` and OLM v1 then compare a version that nobody expects.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.1.0
image: registry.example.com/example:v1.1.0
properties:
- type: olm.package
  value:
    packageName: example
    version: 1.0.0",
    good: "\
schema: olm.bundle
package: example
name: example.v1.1.0
image: registry.example.com/example:v1.1.0
properties:
- type: olm.package
  value:
    packageName: example
    version: 1.1.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for bundle in &subject.declared.bundles {
        let Some((_, named)) = split_name(&bundle.name.value) else { continue };
        for property in &bundle.properties {
            let PropertyValue::Package { version, .. } = &property.value else { continue };
            let Ok(own) = Version::parse(&version.value) else { continue };
            // A name cannot contain a `+`, so only the three numbers are compared.
            let numbers = |version: &Version| (version.major(), version.minor(), version.patch());
            if numbers(&own) != numbers(&named) {
                let message = format!(
                    "the version of `{}` is {}: OLM compares this version, and people read the one \
                     in the name",
                    whole(&bundle.name.value),
                    whole(&version.value),
                );
                let help = "enter the version of this bundle in both places";
                let finding = Finding::at(&RULE, version.span, message).help(help);
                findings.push(finding.related(bundle.name.span, "the name of the bundle"));
            }
        }
    }
}
