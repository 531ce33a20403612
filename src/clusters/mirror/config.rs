//! The configuration of oc-mirror v2, as it reads it: a field that it does not know is an error.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::domain::{Arch, Named, version};
use crate::objects;
use crate::text::Failure;
use crate::yaml::read_as_service;

const KIND: &str = "ImageSetConfiguration";
const API_VERSION: &str = "mirror.openshift.io/v2alpha1";

/// What to mirror.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ImageSet {
    kind: String,
    #[serde(default)]
    api_version: String,
    pub(crate) mirror: Contents,
    #[serde(default, rename = "archiveSize")]
    _archive_size: IgnoredAny,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Contents {
    #[serde(default, deserialize_with = "or_default")]
    pub platform: Platform,
    #[serde(default, deserialize_with = "or_default")]
    pub operators: Vec<MirroredCatalog>,
    #[serde(default, deserialize_with = "or_default")]
    pub blocked_images: Vec<BlockedImage>,
    #[serde(default, rename = "additionalImages")]
    _additional_images: IgnoredAny,
    #[serde(default, rename = "helm")]
    _helm: IgnoredAny,
    #[serde(default, rename = "samples")]
    _samples: IgnoredAny,
}

/// The releases.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Platform {
    /// Whether to mirror the data of the update graph, without which there is no update service.
    #[serde(default)]
    pub graph: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub channels: Vec<MirroredChannel>,
    #[serde(default, deserialize_with = "or_default")]
    pub architectures: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    platforms: Vec<IgnoredAny>,
    /// The image of one release. If there is one, oc-mirror ignores the channels.
    #[serde(default)]
    pub release: String,
    #[serde(default, rename = "kubeVirtContainer")]
    _kube_virt_container: IgnoredAny,
}

/// Which releases of a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MirroredChannel {
    pub name: String,
    #[serde(default, rename = "type")]
    kind: String,
    /// Empty for none, as is `max_version`.
    #[serde(default)]
    pub min_version: String,
    #[serde(default)]
    pub max_version: String,
    #[serde(default)]
    pub shortest_path: bool,
    #[serde(default)]
    pub full: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockedImage {
    pub name: String,
}

/// Which operators of a catalog.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MirroredCatalog {
    /// Its image.
    pub catalog: String,
    #[serde(default, deserialize_with = "or_default")]
    pub packages: Vec<MirroredPackage>,
    #[serde(default)]
    pub full: bool,
    #[serde(default)]
    target_catalog: String,
    #[serde(default)]
    target_tag: String,
    #[serde(default, rename = "skipDependencies")]
    _skip_dependencies: IgnoredAny,
    #[serde(default, rename = "targetCatalogSourceTemplate")]
    _target_catalog_source_template: IgnoredAny,
    #[serde(default, rename = "platforms")]
    _platforms: IgnoredAny,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MirroredPackage {
    pub name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub channels: Vec<MirroredPackageChannel>,
    #[serde(default)]
    pub default_channel: String,
    #[serde(default)]
    pub min_version: String,
    #[serde(default)]
    pub max_version: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MirroredPackageChannel {
    pub name: String,
    #[serde(default)]
    pub min_version: String,
    #[serde(default)]
    pub max_version: String,
}

/// Go reads `null` as nothing.
fn or_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl ImageSet {
    /// The error says why oc-mirror refuses it, or what exitpath does not know.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let refused =
            |error: &dyn Display| Failure::new(format!("oc-mirror v2 refuses it: {error}"));
        // This reader knows lines, but it takes numbers for texts, which oc-mirror does not.
        let set: Self = read_as_service(text).map_err(|error| refused(&error))?;
        serde_json::from_value::<Self>(objects::json(text)?).map_err(|error| refused(&error))?;
        set.refuse_faults()?;
        Ok(set)
    }

    fn refuse_faults(&self) -> Result<(), Failure> {
        let Self { kind, api_version, mirror, .. } = self;
        if kind != KIND {
            return Err(Failure::new(format!("its kind is `{kind}`, not `{KIND}`")));
        }
        if api_version != API_VERSION {
            let failure = Failure::new(format!("its `apiVersion` is `{api_version}`"));
            return Err(
                failure.hint(format!("exitpath knows oc-mirror v2, which has `{API_VERSION}`"))
            );
        }
        mirror.platform.refuse_faults()?;
        let mut catalogs = BTreeSet::new();
        for catalog in &mirror.operators {
            let MirroredCatalog { target_catalog, target_tag, .. } = catalog;
            if !catalogs.insert((&catalog.catalog, target_catalog, target_tag)) {
                return Err(twice("catalog", &catalog.catalog));
            }
            let mut packages = BTreeSet::new();
            for package in &catalog.packages {
                if !packages.insert(&package.name) {
                    return Err(twice("package", &package.name));
                }
            }
        }
        Ok(())
    }
}

impl Platform {
    /// The architectures of the mirrored releases.
    pub(crate) fn archs(&self) -> Result<Vec<Arch>, Failure> {
        if self.architectures.is_empty() {
            return Ok(vec![Arch::default()]);
        }
        let arch = |name: &String| {
            Arch::named(name).ok_or_else(|| Failure::unknown("architecture", name, Arch::names()))
        };
        self.architectures.iter().map(arch).collect()
    }

    pub(super) fn add_archs(&mut self, archs: &[Arch]) {
        if !archs.is_empty() && self.architectures.is_empty() {
            self.architectures.push(Arch::default().name().to_owned());
        }
        self.architectures.extend(archs.iter().map(|arch| arch.name().to_owned()));
    }

    fn refuse_faults(&self) -> Result<(), Failure> {
        if !self.platforms.is_empty() {
            let failure = Failure::new("exitpath does not know which releases `platforms` mirrors");
            return Err(failure.hint("name the architectures of the releases in `architectures`"));
        }
        self.archs()?;
        let mut names = BTreeSet::new();
        for channel in &self.channels {
            if !names.insert(&channel.name) {
                return Err(twice("channel", &channel.name));
            }
            if !matches!(channel.kind.as_str(), "" | "ocp") {
                let what = format!("channel {} is of type `{}`", channel.name, channel.kind);
                return Err(Failure::new(what).hint("exitpath knows the releases of type `ocp`"));
            }
            for text in [&channel.min_version, &channel.max_version] {
                if !text.is_empty() && version::parse(text).is_none() {
                    let what = format!("`{text}` of channel {} is not a version", channel.name);
                    return Err(Failure::new(what));
                }
            }
        }
        Ok(())
    }
}

impl MirroredChannel {
    /// Exactly one release of a channel.
    pub(crate) fn only(name: &str, version: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }.with_range(version, version)
    }

    pub(super) fn with_range(&self, min: &str, max: &str) -> Self {
        Self { min_version: min.to_owned(), max_version: max.to_owned(), ..self.clone() }
    }
}

fn twice(what: &str, name: &str) -> Failure {
    Failure::new(format!("oc-mirror v2 refuses it: the {what} {name} is there twice"))
}

#[cfg(test)]
mod tests {
    use super::ImageSet;

    fn fault(text: &str) -> String {
        let head =
            "kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\nmirror:\n";
        let read = ImageSet::read(&format!("{head}{text}"));
        read.err().map(|failure| failure.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_oc_mirror_refuses_is_refused() {
        assert_eq!(fault("  platform:\n    channels:\n    - name: stable-4.14\n"), "");
        assert_eq!(fault("  platform:\n    channels:\n"), "");
        assert!(fault("  platform:\n    chanels: []\n").contains("unknown field `chanels`"));
        assert!(fault("  platform: {channels: [{name: a}, {name: a}]}").contains("there twice"));
        assert!(fault("  platform: {channels: [{name: a, minVersion: 4.14}]}").contains("string"));
        assert!(
            fault("  platform: {channels: [{name: a, minVersion: '4.14'}]}")
                .contains("is not a version")
        );
        assert!(fault("  platform: {architectures: [x86_64]}").contains("x86_64"));
        assert!(fault("  platform: {channels: [{name: a, type: okd}]}").contains("okd"));
        assert!(fault("  operators: [{catalog: a}, {catalog: a}]").contains("there twice"));
    }
}
