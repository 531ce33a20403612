//! Everything that was ever published, and that may still be installed.

use std::collections::{BTreeMap, BTreeSet};

use super::super::declared::{Declared, PropertyValue};
use super::super::package::Package;
use super::super::version::{BundleVersion, Release};
use super::Install;
use crate::go::semver::Version;

/// The entries and bundles of earlier revisions of a catalog.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    /// The entries of each package and channel.
    entries: BTreeMap<(String, String), BTreeSet<String>>,
    /// The versions of the bundles of each package.
    versions: BTreeMap<(String, String), BundleVersion>,
}

impl Published {
    /// Adds the declarations of one revision.
    pub(crate) fn add(&mut self, declared: &Declared) {
        for channel in &declared.channels {
            let key = (channel.package.value.clone(), channel.name.value.clone());
            let entries = channel.entries.iter().map(|entry| entry.name.value.clone());
            self.entries.entry(key).or_default().extend(entries);
        }
        for bundle in &declared.bundles {
            for property in &bundle.properties {
                let PropertyValue::Package { version, release, .. } = &property.value else {
                    continue;
                };
                let Ok(version) = Version::parse(&version.value) else { continue };
                let release = Release::parse(&release.value).ok().flatten();
                let key = (bundle.package.value.clone(), bundle.name.value.clone());
                self.versions.entry(key).or_insert(BundleVersion { version, release });
            }
        }
    }

    /// The installs of a channel that are no longer its entries.
    pub(crate) fn gone<'p>(&'p self, package: &Package, channel: &str) -> Vec<Install<'p>> {
        let key = (package.name.clone(), channel.to_owned());
        let now = package.channel(channel);
        let names = self.entries.get(&key).into_iter().flatten();
        let is_gone = |name: &&String| {
            !now.is_some_and(|now| now.entries.iter().any(|entry| entry.name == **name))
        };
        let install = |name: &'p String| Install {
            name,
            version: self.versions.get(&(package.name.clone(), name.clone())),
            is_entry: false,
        };
        names.filter(is_gone).map(install).collect()
    }

    /// The channels that a package no longer has.
    pub(crate) fn gone_channels<'p>(
        &'p self,
        package: &'p Package,
    ) -> impl Iterator<Item = &'p str> {
        let of_package = self.entries.keys().filter(|(owner, _)| *owner == package.name);
        let names = of_package.map(|(_, channel)| channel.as_str());
        names.filter(|channel| package.channel(channel).is_none())
    }
}
