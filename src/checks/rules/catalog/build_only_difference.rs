//! Versions of a package that differ only by what follows the `+`.

use std::collections::BTreeMap;

use crate::catalog::declared::BundleBlob;
use crate::catalog::package::Bundle;
use crate::catalog::version::BundleVersion;
use crate::domain::HashSet;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{counted, listed, quoted};

use super::shared::one_finding;

pub(super) static RULE: Rule = Rule {
    code: "OC120",
    name: "build-only-difference",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "bundles whose versions differ only by build metadata",
    explanation: "\
The part of a version after the `+` is build metadata, and does not count when versions
are compared. For a `skipRange`, 1.0.0+1 and 1.0.0+2 are the same version: a range that is
meant for one of them contains both. A range of the second that ends before it does not
contain the first one.

Give a rebuild the next patch version. A bundle with the annotation `olm.substitutesFor`
is not reported: for these, opm compares the build metadata.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0-1 # version: 1.0.0+1
- name: example.v1.0.0-2 # version: 1.0.0+2
  skipRange: '<1.0.0+2'",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.0.1
  skipRange: '<1.0.1'",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for package in subject.packages {
        let mut same: BTreeMap<String, Vec<&Bundle>> = BTreeMap::new();
        for bundle in &package.bundles {
            if let Some(version) = bundle.version.as_ref().filter(|one| one.release.is_none()) {
                same.entry(version.version.without_build().to_string()).or_default().push(bundle);
            }
        }
        // Two versions with the same text are an error of opm, which another rule reports.
        same.retain(|_, bundles| {
            let texts = bundles.iter().filter_map(|bundle| bundle.version.as_ref());
            let texts: HashSet<String> = texts.map(BundleVersion::text).collect();
            texts.len() == bundles.len() && bundles.len() > 1
        });
        let blob = |bundle: &&&Bundle| subject.places.bundle(&package.name, &bundle.name);
        let is_rebuild = |blob: &BundleBlob| blob.substitutes_for().is_some();
        same.retain(|_, bundles| !bundles.iter().filter_map(|one| blob(&one)).any(is_rebuild));
        let Some((version, bundles)) = same.first_key_value() else { continue };
        let places = same.values().flatten().filter_map(|one| blob(&one));
        let places: Vec<_> = places.map(|blob| blob.name.span).collect();
        let names: Vec<String> = bundles.iter().map(|one| whole(&one.name)).collect();
        let more = match same.len() {
            1 => String::new(),
            n => format!("; the same holds for {}", counted(n - 1, "other version")),
        };
        let message = format!(
            "{} have the same version {} for a `skipRange`, which ignores what follows the \
             `+`{more}",
            listed(&quoted(&names), "and"),
            whole(version),
        );
        let help = "give a rebuild the next patch version";
        let other = "this version differs only by its build metadata";
        findings.extend(one_finding(&RULE, &places, message, other).map(|one| one.help(help)));
    }
}
