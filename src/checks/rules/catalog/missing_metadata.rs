//! A head without the metadata that the console shows.

use crate::catalog::declared::{BundleBlob, PropertyValue};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC122",
    name: "missing-metadata",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "a head without CSV metadata, although other bundles of its package have it",
    explanation: "\
OperatorHub shows the name, the description, and the icon from the metadata of a
channel's head: the property `olm.csv.metadata` or, for OpenShift 4.16 and older, the
`ClusterServiceVersion` in an `olm.bundle.object`. Without it, the package server cannot
show the channel.

Render the bundle again with `opm render`.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.1.0 # the head; example.v1.0.0 has olm.csv.metadata
properties:
- type: olm.package
  value: {packageName: example, version: 1.1.0}",
    good: "\
schema: olm.bundle
package: example
name: example.v1.1.0
properties:
- type: olm.package
  value: {packageName: example, version: 1.1.0}
- type: olm.csv.metadata
  value: {displayName: Example}",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for package in subject.packages {
        let blob = |name: &str| subject.places.bundle(&package.name, name);
        let mut bundles = package.bundles.iter().filter_map(|bundle| blob(&bundle.name));
        // A catalog without any metadata is probably not for the console.
        if !bundles.any(has_metadata) {
            continue;
        }
        let channels = subject.moves().filter(|moves| moves.package.name == package.name);
        let mut heads: Vec<&str> =
            channels.flat_map(|moves| moves.heads.iter().map(|head| moves.name(*head))).collect();
        heads.sort_unstable();
        heads.dedup();
        let without = heads.iter().filter_map(|name| blob(name)).filter(|blob| !has_metadata(blob));
        let without: Vec<&BundleBlob> = without.collect();
        let Some(first) = without.first() else { continue };
        let more = of_several(without.len(), "heads of the package have none");
        let message = format!(
            "the head `{}` has no CSV metadata, so OperatorHub cannot show its channel{more}",
            whole(&first.name.value),
        );
        let places: Vec<_> = without.iter().map(|blob| blob.name.span).collect();
        let help = "render the bundle again with `opm render`";
        let finding = one_finding(&RULE, &places, message, "this head has none either");
        findings.extend(finding.map(|finding| finding.help(help)));
    }
}

fn has_metadata(bundle: &BundleBlob) -> bool {
    bundle.properties.iter().any(|property| {
        matches!(property.value, PropertyValue::CsvMetadata(_) | PropertyValue::BundleObject(_))
    })
}
