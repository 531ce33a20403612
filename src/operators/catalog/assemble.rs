//! Assembles what resolvers see: the packages of a catalog with their channels and bundles.
//!
//! opm serves only valid catalogs, so what is invalid is omitted here.

use std::collections::BTreeMap;

use crate::domain::HashSet;

use super::declared::{BundleBlob, ChannelBlob, Declared, DeprecationsBlob, PropertyValue, Text};
use super::openshift_limit::OpenShiftLimit;
use super::package::{Bundle, CatalogChannel, Entry, Package, Requirement};
use super::version::{BundleVersion, Release};
use crate::go::semver::{Range, Version};

/// The packages in the order of their names.
pub fn packages(declared: &Declared) -> Vec<Package> {
    let mut packages: BTreeMap<&str, Package> = BTreeMap::new();
    for blob in &declared.packages {
        packages.entry(&blob.name.value).or_insert_with(|| Package {
            name: blob.name.value.clone(),
            default_channel: blob.default_channel.value.clone(),
            ..Package::default()
        });
    }
    let mut known = HashSet::default();
    for blob in &declared.channels {
        let package = packages.get_mut(blob.package.value.as_str());
        if let Some(package) =
            package.filter(|_| known.insert((&blob.package.value, &blob.name.value)))
        {
            package.channels.push(channel(blob));
        }
    }
    let mut known = HashSet::default();
    for blob in &declared.bundles {
        let package = packages.get_mut(blob.package.value.as_str());
        if let Some(package) =
            package.filter(|_| known.insert((&blob.package.value, &blob.name.value)))
        {
            let place = package.bundles.len();
            package.bundles.push(Bundle { place, ..bundle(blob) });
        }
    }
    for package in packages.values_mut() {
        package.channels.sort_by(|a, b| a.name.cmp(&b.name));
        package.bundles.sort_by(|a, b| a.name.cmp(&b.name));
    }
    for blob in &declared.deprecations {
        if let Some(package) = packages.get_mut(blob.package.value.as_str()) {
            deprecate(package, blob);
        }
    }
    packages.into_values().collect()
}

fn channel(blob: &ChannelBlob) -> CatalogChannel {
    let mut known = HashSet::default();
    let entries = blob.entries.iter().filter(|entry| known.insert(&entry.name.value));
    let texts = |texts: &[Text]| texts.iter().map(|text| text.value.clone()).collect();
    let entries = entries.map(|entry| Entry {
        name: entry.name.value.clone(),
        replaces: entry.replaces.value.clone(),
        skips: texts(&entry.skips),
        skip_range: Range::parse(&entry.skip_range.value).ok(),
    });
    CatalogChannel { name: blob.name.value.clone(), entries: entries.collect(), deprecation: None }
}

fn bundle(blob: &BundleBlob) -> Bundle {
    let mut bundle =
        Bundle { name: blob.name.value.clone(), limit: limit(blob), ..Bundle::default() };
    for property in &blob.properties {
        match &property.value {
            PropertyValue::Package { version, release, .. } => {
                bundle.version = bundle_version(version, release);
            }
            PropertyValue::Provides(gvk) => bundle.provides.push(gvk.clone()),
            PropertyValue::RequiresGvk(gvk) => {
                bundle.requires.push(Requirement::Gvk(gvk.clone()));
            }
            PropertyValue::RequiresPackage { name, range } => {
                let (name, range) = (name.value.clone(), range.value.clone());
                bundle.requires.push(Requirement::Package { name, range });
            }
            PropertyValue::Label(label) => bundle.labels.push(label.clone()),
            PropertyValue::RequiresLabel(label) => {
                bundle.requires.push(Requirement::Label(label.clone()));
            }
            PropertyValue::Constraint(constraint) => {
                bundle.requires.push(Requirement::Constraint(constraint.clone()));
            }
            PropertyValue::Deprecated => bundle.is_prohibited = true,
            PropertyValue::MaxOpenShift(_)
            | PropertyValue::CsvMetadata(_)
            | PropertyValue::BundleObject(_)
            | PropertyValue::Other => {}
        }
    }
    bundle
}

fn limit(blob: &BundleBlob) -> Option<OpenShiftLimit> {
    let values: Vec<String> =
        blob.openshift_limits().map(|value| value.value.to_string()).collect();
    (!blob.is_inferred).then(|| OpenShiftLimit::of_values(values.iter().map(String::as_str)))
}

/// The version of a bundle. A release that opm cannot read counts as absent.
pub(super) fn bundle_version(version: &Text, release: &Text) -> Option<BundleVersion> {
    let version = Version::parse(&version.value).ok()?;
    let release = Release::parse(&release.value).ok().flatten();
    Some(BundleVersion { version, release })
}

/// The version by which opm orders a bundle. Without a release, the build of a rebuild counts as
/// its release.
pub(super) fn version_of(blob: &BundleBlob) -> Option<BundleVersion> {
    let version = blob.properties.iter().find_map(|property| match &property.value {
        PropertyValue::Package { version, release, .. } => bundle_version(version, release),
        _ => None,
    })?;
    if version.release.is_none() && version.version.has_build() && blob.substitutes_for().is_some()
    {
        return BundleVersion::with_build_as_release(&version.version).ok();
    }
    Some(version)
}

fn deprecate(package: &mut Package, blob: &DeprecationsBlob) {
    for entry in &blob.entries {
        let (name, message) = (&entry.name.value, || Some(entry.message.value.clone()));
        match entry.schema.value.as_str() {
            "olm.bundle" => {
                let bundles = package.bundles.iter_mut();
                for bundle in bundles.filter(|bundle| bundle.name == *name) {
                    bundle.deprecation = message();
                }
            }
            "olm.channel" => {
                let channels = package.channels.iter_mut();
                for channel in channels.filter(|channel| channel.name == *name) {
                    channel.deprecation = message();
                }
            }
            "olm.package" => package.deprecation = message(),
            _ => {}
        }
    }
}
