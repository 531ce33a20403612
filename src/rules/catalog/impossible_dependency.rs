//! A dependency on a package that can never be satisfied.

use std::collections::BTreeMap;

use crate::catalog::declared::PropertyValue;
use crate::catalog::version::Range;
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, shortened};
use crate::text::Span;

use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC121",
    name: "impossible-dependency",
    aliases: &[],
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an `olm.package.required` with an invalid range or a range without bundles",
    explanation: "\
OLM reads the range of `olm.package.required` only when it installs the bundle:
`opm validate` does not check it. If OLM cannot read the range, it can neither install nor
update anything in the namespace.

Ranges are those of `skipRange`: three numbers, no commas, no `^` or `~`, and spaces
around `||`.

If the catalog has the required package, but no bundle in the range, the bundle can only
be installed where another catalog has one. That is a warning.",
    bad: "\
properties:
- type: olm.package.required
  value:
    packageName: other
    versionRange: ^1.0.0",
    good: "\
properties:
- type: olm.package.required
  value:
    packageName: other
    versionRange: '>=1.0.0 <2.0.0'",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    // Bundles of one package usually have the same dependency.
    let mut faults: BTreeMap<(&str, &str, &str, Option<String>), Vec<Span>> = BTreeMap::new();
    for bundle in &subject.declared.bundles {
        let properties = bundle.properties.iter().filter(|property| property.fault.is_none());
        for property in properties {
            let PropertyValue::RequiresPackage { name, range } = &property.value else { continue };
            let fault = match Range::parse(&range.value) {
                Err(why) => Some(Some(why)),
                Ok(parsed) => is_missing(subject, &name.value, &parsed).then_some(None),
            };
            if let Some(fault) = fault {
                let key = (
                    bundle.package.value.as_str(),
                    name.value.as_str(),
                    range.value.as_str(),
                    fault,
                );
                faults.entry(key).or_default().push(range.span);
            }
        }
    }
    for ((_, name, range, why), places) in faults {
        let more = of_several(places.len(), "bundles require it");
        let (name, range) = (shortened(name), shortened(range));
        let (message, help, severity) = match why {
            Some(why) => (
                format!(
                    "OLM cannot read the range `{range}` of the required package `{name}`: {why}; it \
                     installs and updates nothing in a namespace with this bundle{more}"
                ),
                "write it like `>=1.0.0 <2.0.0`: three numbers, no commas, no `^` or `~`",
                Severity::Error,
            ),
            None => (
                format!(
                    "no bundle of package `{name}` in this catalog is in the required range \
                     `{range}`, so OLM cannot install this bundle from this catalog alone{more}"
                ),
                "correct the range, or add the version to the catalog",
                Severity::Warning,
            ),
        };
        let finding = one_finding(&RULE, &places, message, "this bundle requires it too");
        findings.extend(finding.map(|finding| finding.help(help).severity(severity)));
    }
}

/// Whether the catalog has the package, but no version in the range.
fn is_missing(subject: &CatalogSubject<'_>, name: &str, range: &Range) -> bool {
    subject.package(name).is_some_and(|package| {
        let mut versions = package.bundles.iter().filter_map(|bundle| bundle.version.as_ref());
        !versions.any(|version| range.contains(&version.version))
    })
}
