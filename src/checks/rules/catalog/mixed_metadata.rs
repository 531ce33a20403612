//! Both forms of a bundle's metadata in one package.

use crate::catalog::declared::{BundleBlob, PropertyValue};
use crate::catalog::package::Package;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::one_finding;

pub(super) static RULE: Rule = Rule {
    code: "OC129",
    name: "mixed-metadata",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "a package with both `olm.bundle.object` and `olm.csv.metadata`",
    explanation: "\
The metadata of a bundle has two forms. Catalogs for OpenShift 4.16 and older have
`olm.bundle.object`, which holds whole manifests. Those for 4.17 and newer have
`olm.csv.metadata`, which is much smaller. The pipelines that publish catalogs accept one
form for each version of OpenShift, so a package with both is right for none.

Usually, some bundles were rendered with `opm render --migrate-level=bundle-object-to-csv-metadata`,
and others without. Render all of them in the same way.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.1.0 # example.v1.0.0 has olm.bundle.object
properties:
- type: olm.csv.metadata
  value: {displayName: Example}",
    good: "\
schema: olm.bundle
package: example
name: example.v1.1.0 # and so has example.v1.0.0
properties:
- type: olm.csv.metadata
  value: {displayName: Example}",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(subject.packages.iter().filter_map(|package| mixed(subject, package)));
}

fn mixed(subject: &CatalogSubject<'_>, package: &Package) -> Option<Finding> {
    let names = package.bundles.iter().map(|bundle| bundle.name.as_str());
    let blobs = names.filter_map(|name| subject.places.bundle(&package.name, name));
    let blobs: Vec<&BundleBlob> = blobs.collect();
    let with_objects = blobs.iter().filter(|blob| has_objects(blob)).count();
    let with_metadata = blobs.iter().filter(|blob| has_metadata(blob)).count();
    if with_objects == 0 || with_metadata == 0 {
        return None;
    }
    // Bundles with the rarer form are the exception.
    let is_exception = |blob: &&&BundleBlob| {
        if with_objects < with_metadata { has_objects(blob) } else { has_metadata(blob) }
    };
    let exceptions: Vec<&&BundleBlob> = blobs.iter().filter(is_exception).collect();
    let first = exceptions.first()?;
    let forms = match (has_objects(first), has_metadata(first)) {
        (true, true) => "both `olm.bundle.object` and `olm.csv.metadata`",
        (true, false) => "`olm.bundle.object`, and other bundles have `olm.csv.metadata`",
        _ => "`olm.csv.metadata`, and other bundles have `olm.bundle.object`",
    };
    let message = format!(
        "`{}` has {forms}: pipelines accept one form for each version of OpenShift",
        whole(&first.name.value)
    );
    let places: Vec<_> = exceptions.iter().map(|blob| blob.name.span).collect();
    let help = "render all bundles of the package in the same way; OpenShift 4.17 and newer need \
                `olm.csv.metadata`";
    let finding = one_finding(&RULE, &places, message, "this bundle has it too");
    finding.map(|finding| finding.help(help))
}

fn has_objects(bundle: &BundleBlob) -> bool {
    let mut properties = bundle.properties.iter();
    properties.any(|property| matches!(property.value, PropertyValue::BundleObject(_)))
}

fn has_metadata(bundle: &BundleBlob) -> bool {
    let mut properties = bundle.properties.iter();
    properties.any(|property| matches!(property.value, PropertyValue::CsvMetadata(_)))
}
