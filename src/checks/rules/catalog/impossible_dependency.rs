//! A dependency on a package that can never be satisfied.

use std::collections::BTreeMap;

use crate::catalog::declared::PropertyValue;
use crate::catalog::version::BundleVersion;
use crate::go::semver::Range;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::Span;
use crate::text::words::counted;

use super::shared::requirer::{Requirer, by_role};
use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC121",
    name: "impossible-dependency",
    properties: Properties::USUAL,
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
be installed where another catalog has one. That is a warning. `--with CATALOG` names the other
catalogs of the cluster. What OLM never installs, such as a skipped entry, is only an info.",
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
    // Bundles of one package usually share a dependency, so equal faults are one finding.
    let mut impossible: BTreeMap<ImpossibleRange<'_>, Vec<Requirer<'_>>> = BTreeMap::new();
    for bundle in &subject.declared.bundles {
        let properties = bundle.properties.iter().filter(|property| property.fault.is_none());
        for property in properties {
            let PropertyValue::RequiresPackage { name, range } = &property.value else { continue };
            let fault = match Range::parse(&range.value) {
                Err(why) => Some(RangeFault::Invalid(why.to_string())),
                Ok(parsed) => instead(subject, &name.value, &parsed).map(RangeFault::Missing),
            };
            if let Some(fault) = fault {
                let requirer = Requirer::of(subject, bundle, range.span);
                let impossible_range = ImpossibleRange {
                    of_package: &bundle.package.value,
                    name: &name.value,
                    range: &range.value,
                    fault,
                };
                impossible.entry(impossible_range).or_default().push(requirer);
            }
        }
    }
    for (range, mut requirers) in impossible {
        by_role(&mut requirers);
        findings.extend(finding(&range, &requirers));
    }
}

/// A requirement that cannot be fulfilled. Findings are in the order of the fields.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ImpossibleRange<'a> {
    /// The package of the bundles that require it.
    of_package: &'a str,
    /// The package that they require.
    name: &'a str,
    range: &'a str,
    fault: RangeFault,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum RangeFault {
    /// OLM cannot parse the range.
    Invalid(String),
    /// No bundle is in the range. The text says what catalogs have instead.
    Missing(String),
}

fn finding(impossible: &ImpossibleRange<'_>, requirers: &[Requirer<'_>]) -> Option<Finding> {
    let ImpossibleRange { name, range, fault, .. } = impossible;
    let first = requirers.first()?;
    let more = of_several(requirers.len(), "bundles require it");
    let (name, range, bundle) = (whole(name), whole(range), first.in_words());
    let (message, help, severity) = match fault {
        RangeFault::Invalid(why) => (
            format!(
                "{bundle} requires package `{name}` in the range `{range}`, which OLM cannot read: \
                 {why}; it installs and updates nothing in a namespace with this bundle{more}"
            ),
            "write it like `>=1.0.0 <2.0.0`: three numbers, no commas, no `^` or `~`",
            Severity::Error,
        ),
        RangeFault::Missing(instead) => (
            format!(
                "{bundle} requires package `{name}` in the range `{range}`, but the catalogs only have \
                 {instead}, so OLM cannot install this bundle{more}"
            ),
            "correct the range, or add the version to the catalog; `--with CATALOG` names the other \
             catalogs of the cluster",
            Severity::Warning,
        ),
    };
    let severity = if first.is_installed() { severity } else { Severity::Info };
    let places: Vec<Span> = requirers.iter().map(|one| one.span).collect();
    let names: Vec<&str> = requirers.iter().map(|one| one.bundle).collect();
    let finding = one_finding(&RULE, &places, message, "this bundle requires it too")?;
    Some(finding.help(help).severity(severity).installs(&names))
}

/// The versions of a package that catalogs have outside of a range, in words. None if a version is
/// in the range, or if there is no such package.
fn instead(subject: &CatalogSubject<'_>, name: &str, range: &Range) -> Option<String> {
    let packages = subject.all_packages().filter(|package| package.name == name);
    let bundles = packages.flat_map(|package| &package.bundles);
    let mut versions: Vec<&BundleVersion> =
        bundles.filter_map(|bundle| bundle.version.as_ref()).collect();
    versions.sort_by(|one, other| one.compare(other));
    if versions.iter().any(|version| range.contains(&version.version)) {
        return None;
    }
    match versions.as_slice() {
        [] => None,
        [only] => Some(whole(&only.text())),
        [first, .., last] => {
            let count = counted(versions.len(), "version");
            Some(format!("{count} from {} to {}", whole(&first.text()), whole(&last.text())))
        }
    }
}
