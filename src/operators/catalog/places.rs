//! Finds the declarations of packages, channels, entries, and bundles by name.

use crate::domain::HashMap;

use super::declared::{BundleBlob, ChannelBlob, Declared, EntryBlob, PackageBlob};

/// Maps names to their first declarations, which are the ones that count.
#[derive(Debug, Default)]
pub struct Places<'d> {
    packages: HashMap<&'d str, &'d PackageBlob>,
    channels: HashMap<(&'d str, &'d str), &'d ChannelBlob>,
    entries: HashMap<(&'d str, &'d str, &'d str), &'d EntryBlob>,
    bundles: HashMap<(&'d str, &'d str), &'d BundleBlob>,
}

impl<'d> Places<'d> {
    pub fn of(declared: &'d Declared) -> Self {
        let mut places = Self::default();
        for blob in &declared.packages {
            places.packages.entry(&blob.name.value).or_insert(blob);
        }
        for blob in &declared.channels {
            let (package, name) = (blob.package.value.as_str(), blob.name.value.as_str());
            if places.channels.contains_key(&(package, name)) {
                continue;
            }
            places.channels.insert((package, name), blob);
            for entry in &blob.entries {
                let key = (package, name, entry.name.value.as_str());
                places.entries.entry(key).or_insert(entry);
            }
        }
        for blob in &declared.bundles {
            let key = (blob.package.value.as_str(), blob.name.value.as_str());
            places.bundles.entry(key).or_insert(blob);
        }
        places
    }

    pub fn package(&self, name: &str) -> Option<&'d PackageBlob> {
        self.packages.get(name).copied()
    }

    pub fn channel(&self, package: &str, name: &str) -> Option<&'d ChannelBlob> {
        self.channels.get(&(package, name)).copied()
    }

    pub fn entry(&self, package: &str, channel: &str, name: &str) -> Option<&'d EntryBlob> {
        self.entries.get(&(package, channel, name)).copied()
    }

    pub fn bundle(&self, package: &str, name: &str) -> Option<&'d BundleBlob> {
        self.bundles.get(&(package, name)).copied()
    }
}
