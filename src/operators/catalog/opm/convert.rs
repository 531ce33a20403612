//! Converts the declarations to opm's model. Unlike opm, it continues after an error.

use std::collections::BTreeMap;

use crate::domain::{HashMap, HashSet};
use crate::go::quoted;

use super::super::assemble::bundle_version;
use super::super::declared::{
    BundleBlob, ChannelBlob, Declared, DeprecationBlob, Property, PropertyValue, Text,
};
use super::super::version::{BundleVersion, Release};
use super::super::{image, label};
use super::model::{Bundle, Deprecation, Model, ModelChannel, ModelPackage};
use super::objection::{MOST_NAMED, Objection, ObjectionKind, Owner};
use crate::go::semver::Version;

pub(super) fn convert(declared: &Declared) -> (Model<'_>, Vec<Objection>) {
    let mut conversion = Conversion {
        declared,
        model: Model::default(),
        objections: Vec::new(),
        valid_images: HashSet::default(),
    };
    conversion.packages();
    for channel in &declared.channels {
        conversion.channel(channel);
    }
    for bundle in &declared.bundles {
        conversion.bundle(bundle);
    }
    conversion.entries_without_bundles();
    conversion.deprecations();
    (conversion.model, conversion.objections)
}

struct Conversion<'d> {
    declared: &'d Declared,
    model: Model<'d>,
    objections: Vec<Objection>,
    valid_images: HashSet<&'d str>,
}

impl<'d> Conversion<'d> {
    fn object(&mut self, at: &Text, kind: ObjectionKind, words: String) {
        self.objections.push(Objection::conversion(at.span, kind, words));
    }

    fn duplicate(&mut self, at: &Text, what: &'static str, first: &Text, words: String) {
        let kind = ObjectionKind::Duplicate { what, name: at.value.clone() };
        let objection = Objection::conversion(at.span, kind, words);
        self.objections.push(objection.with_related([first.span]));
    }

    fn packages(&mut self) {
        for (blob, package) in self.declared.packages.iter().enumerate() {
            let name = &package.name;
            if name.value.is_empty() {
                let words = "config contains package with no name".to_owned();
                self.object(name, ObjectionKind::Nameless(Owner::Package), words);
                continue;
            }
            if let Some(known) = self.model.packages.get(name.value.as_str()) {
                let first = &self.declared.packages[known.blob].name;
                let words = format!("duplicate package {}", quoted(&name.value));
                self.duplicate(name, "package", first, words);
                continue;
            }
            let faults = label::faults(&name.value);
            if !faults.is_empty() {
                let why = faults.join(" ");
                let words = format!("invalid package name {}: [{why}]", quoted(&name.value));
                self.object(name, ObjectionKind::PackageName(name.value.clone()), words);
            }
            self.model
                .packages
                .insert(&name.value, ModelPackage { blob, ..ModelPackage::default() });
        }
    }

    fn channel(&mut self, blob: &'d ChannelBlob) {
        let (package, name) = (&blob.package.value, &blob.name.value);
        let Some(known) = self.model.packages.get_mut(package.as_str()) else {
            let words = format!(
                "unknown package {q_package} for channel {q_name}",
                q_package = quoted(package),
                q_name = quoted(name)
            );
            let kind = unknown_package(Owner::Channel, package);
            return self.object(&blob.package, kind, words);
        };
        if name.is_empty() {
            let words = format!(
                "package {q_package} contains channel with no name",
                q_package = quoted(package)
            );
            return self.object(&blob.name, ObjectionKind::Nameless(Owner::Channel), words);
        }
        if let Some(first) = known.channels.get(name.as_str()) {
            let first = &first.blob.name;
            let words = format!(
                "package {q_package} has duplicate channel {q_name}",
                q_package = quoted(package),
                q_name = quoted(name)
            );
            return self.duplicate(&blob.name, "channel", first, words);
        }
        let mut channel = ModelChannel { blob, entries: HashMap::default(), deprecation: None };
        let mut duplicates = Vec::new();
        for entry in &blob.entries {
            match channel.entries.get(entry.name.value.as_str()) {
                Some(first) => duplicates.push((&entry.name, &first.name)),
                None => {
                    channel.entries.insert(&entry.name.value, entry);
                }
            }
        }
        known.last_entries = channel.entries.keys().copied().collect();
        known.channels.insert(name, channel);
        for (entry, first) in duplicates {
            let words = format!(
                "invalid package {q_package}, channel {q_name}: duplicate entry {}",
                quoted(&entry.value),
                q_package = quoted(package),
                q_name = quoted(name)
            );
            self.duplicate(entry, "entry", first, words);
        }
    }

    fn bundle(&mut self, blob: &'d BundleBlob) {
        let (package, name) = (&blob.package.value, &blob.name.value);
        if package.is_empty() {
            let words =
                format!("package name must be set for bundle {q_name}", q_name = quoted(name));
            return self.object(&blob.package, ObjectionKind::WithoutPackage(Owner::Bundle), words);
        }
        let Some(known) = self.model.packages.get(package.as_str()) else {
            let words = format!(
                "unknown package {q_package} for bundle {q_name}",
                q_package = quoted(package),
                q_name = quoted(name)
            );
            let kind = unknown_package(Owner::Bundle, package);
            return self.object(&blob.package, kind, words);
        };
        if let Some(first) = known.bundles.get(name.as_str()) {
            let first = &first.blob.name;
            let words = format!(
                "package {q_package} has duplicate bundle {q_name}",
                q_package = quoted(package),
                q_name = quoted(name)
            );
            return self.duplicate(&blob.name, "bundle", first, words);
        }
        let is_listed =
            known.channels.values().any(|channel| channel.entries.contains_key(name.as_str()));
        let version = self.version(blob);
        if !is_listed {
            let words = format!(
                "package {q_package}, bundle {q_name} not found in any channel entries",
                q_package = quoted(package),
                q_name = quoted(name)
            );
            self.object(&blob.name, ObjectionKind::Unlisted(name.clone()), words);
        }
        if let Some(known) = self.model.packages.get_mut(package.as_str()) {
            known.last_entries.remove(name.as_str());
            known.bundles.insert(name, Bundle { blob, version, deprecation: None });
        }
    }

    /// Checks what a bundle says about itself. Returns its version.
    fn version(&mut self, blob: &'d BundleBlob) -> Option<BundleVersion> {
        if blob.is_inferred {
            self.images(blob);
            return inferred_version(blob);
        }
        let (package, name) = (&blob.package.value, &blob.name.value);
        self.property_faults(blob);
        let packages = blob.properties.iter().filter_map(|property| match &property.value {
            PropertyValue::Package { name, version, release } => Some((name, version, release)),
            _ => None,
        });
        let packages: Vec<_> = packages.collect();
        let is_unreadable =
            |property: &Property| property.fault.is_some() && property.kind.value == "olm.package";
        if blob.properties.iter().any(is_unreadable) {
            self.images(blob);
            return None;
        }
        let &[(named, version, release)] = packages.as_slice() else {
            let words = format!(
                "package {q_package} bundle {q_name} must have exactly 1 \"olm.package\" \
                 property, found {}",
                packages.len(),
                q_package = quoted(package),
                q_name = quoted(name)
            );
            self.object(&blob.name, ObjectionKind::PackageProperties(packages.len()), words);
            self.images(blob);
            return None;
        };
        if named.value != *package {
            let words = format!(
                "package {q_package} does not match \"olm.package\" property {}",
                quoted(&named.value),
                q_package = quoted(package)
            );
            let (package, named_package) = (package.clone(), named.value.clone());
            self.object(
                named,
                ObjectionKind::OtherPackage { package, named: named_package },
                words,
            );
        }
        self.images(blob);
        let parsed = Version::parse(&version.value);
        if let Err(why) = &parsed {
            let words = format!(
                "error parsing bundle {q_name} version {}: {why}",
                quoted(&version.value),
                q_name = quoted(name)
            );
            let kind =
                ObjectionKind::Version { version: version.value.clone(), why: why.to_string() };
            self.object(version, kind, words);
        }
        let parsed_release = Release::parse(&release.value);
        if let Err(why) = &parsed_release {
            let written = &release.value;
            let words = format!(
                "error parsing bundle {q_name} release version {q_written}: {why}",
                q_name = quoted(name),
                q_written = quoted(written)
            );
            let kind = ObjectionKind::Release { release: written.clone(), why: why.to_string() };
            self.object(release, kind, words);
        }
        Some(BundleVersion { version: parsed.ok()?, release: parsed_release.ok()? })
    }

    fn property_faults(&mut self, blob: &'d BundleBlob) {
        for (at, property) in blob.properties.iter().enumerate() {
            let is_object = matches!(property.value, PropertyValue::BundleObject(_));
            if let Some(fault) = property.fault.as_ref().filter(|_| !is_object) {
                let kind = &property.kind.value;
                let words = format!(
                    "parse properties for bundle {q_name}: parse property[{at}] of type \
                     {q_kind}: {}",
                    fault.words,
                    q_name = quoted(&blob.name.value),
                    q_kind = quoted(kind)
                );
                let kind = ObjectionKind::PropertyValue {
                    property: kind.clone(),
                    cause: fault.cause.clone(),
                };
                self.objections.push(Objection::conversion(fault.span, kind, words));
            }
        }
    }

    fn images(&mut self, blob: &'d BundleBlob) {
        let related = blob.related_images.iter().enumerate();
        let related = related.map(|(at, image)| (image, Some(at)));
        for (spec, at) in std::iter::once((&blob.image, None)).chain(related) {
            let image = spec.value.as_str();
            // Most images of a catalog occur in many bundles.
            if image.is_empty() || self.valid_images.contains(image) {
                continue;
            }
            let Err(why) = image::check(image) else {
                self.valid_images.insert(image);
                continue;
            };
            let place = at.map_or("image".to_owned(), |at| format!("relatedImage[{at}].image"));
            let words = format!(
                "package {} bundle {} {place}: invalid image pull spec {}: {why}",
                quoted(&blob.package.value),
                quoted(&blob.name.value),
                quoted(image),
            );
            self.object(
                spec,
                ObjectionKind::Image { image: image.to_owned(), why: why.to_string() },
                words,
            );
        }
    }

    /// Finds entries without bundles. opm looks only at the channel that it reads last.
    fn entries_without_bundles(&mut self) {
        let mut found = Vec::new();
        for (name, package) in &self.model.packages {
            let words = |entries: &str| {
                format!(
                    "no olm.bundle blobs found in package {} for olm.channel entries [{entries}]",
                    quoted(name)
                )
            };
            let missing: Vec<&str> = package.last_entries.iter().copied().collect();
            let span = self.declared.packages[package.blob].name.span;
            let said = words(&missing.join(" "));
            if !missing.is_empty() {
                let kind = ObjectionKind::NoBundle(String::new());
                found.push(Objection::conversion(span, kind, said.clone()).only_opm());
            }
            // The same entry in several channels needs only one bundle. If the bundle is missing,
            // that is one objection.
            let mut by_name: BTreeMap<&str, Objection> = BTreeMap::new();
            let entries = package.channels.values().flat_map(|channel| &channel.blob.entries);
            for Text { value: name, span } in entries.map(|entry| &entry.name) {
                if name.is_empty() || package.bundles.contains_key(name.as_str()) {
                    continue;
                }
                if let Some(first) = by_name.get_mut(name.as_str()) {
                    first.related.push(*span);
                    continue;
                }
                let kind = ObjectionKind::NoBundle(name.clone());
                let is_said =
                    missing.len() <= MOST_NAMED && package.last_entries.contains(name.as_str());
                let words = is_said.then(|| said.clone());
                by_name.insert(name, Objection::conversion(*span, kind, words).only_ours());
            }
            found.extend(by_name.into_values());
        }
        self.objections.append(&mut found);
    }

    fn deprecations(&mut self) {
        let mut packages: HashMap<&str, &Text> = HashMap::default();
        for (at, blob) in self.declared.deprecations.iter().enumerate() {
            let package = &blob.package;
            if package.value.is_empty() {
                let words = format!("package name must be set for deprecation item {at}");
                self.object(package, ObjectionKind::WithoutPackage(Owner::Deprecation), words);
                continue;
            }
            if !self.model.packages.contains_key(package.value.as_str()) {
                let words = format!(
                    "cannot apply deprecations to an unknown package {}",
                    quoted(&package.value)
                );
                let kind = unknown_package(Owner::Deprecation, &package.value);
                self.object(package, kind, words);
                continue;
            }
            if let Some(first) = packages.insert(&package.value, package) {
                let words = format!(
                    "expected a maximum of one deprecation per package: {}",
                    quoted(&package.value)
                );
                self.duplicate(package, "deprecation", first, words);
                continue;
            }
            self.deprecations_of(at, &package.value);
        }
    }

    fn deprecations_of(&mut self, blob: usize, package: &str) {
        let mut seen: HashMap<(&str, &str), &Text> = HashMap::default();
        for (at, entry) in self.declared.deprecations[blob].entries.iter().enumerate() {
            let (schema, name) = (&entry.schema.value, &entry.name.value);
            if schema.is_empty() {
                let words = format!(
                    "schema must be set for deprecation entry [{at}] for package {q_package}",
                    q_package = quoted(package)
                );
                self.object(&entry.schema, ObjectionKind::DeprecationSchema, words);
                continue;
            }
            let reference = format!(
                "declcfg.PackageScopedReference{{Schema:\"{schema}\", Name:{q_name}}}",
                q_name = quoted(name)
            );
            if let Some(first) = seen.insert((schema, name), &entry.schema) {
                let words = format!(
                    "duplicate deprecation entry {reference} for package {q_package}",
                    q_package = quoted(package)
                );
                let at = if name.is_empty() { &entry.schema } else { &entry.name };
                self.duplicate(at, "deprecation", first, words);
                continue;
            }
            self.deprecate(entry, Deprecation(blob, at), package, &reference);
        }
    }

    fn deprecate(
        &mut self,
        entry: &DeprecationBlob,
        deprecation: Deprecation,
        package: &str,
        reference: &str,
    ) {
        let name = &entry.name.value;
        let Some(known) = self.model.packages.get_mut(package) else { return };
        let target = match entry.schema.value.as_str() {
            "olm.bundle" => {
                let bundle = known.bundles.get_mut(name.as_str());
                bundle.map(|bundle| &mut bundle.deprecation).ok_or((Owner::Bundle, "bundle"))
            }
            "olm.channel" => {
                let channel = known.channels.get_mut(name.as_str());
                channel.map(|channel| &mut channel.deprecation).ok_or((Owner::Channel, "channel"))
            }
            "olm.package" if name.is_empty() => Ok(&mut known.deprecation),
            "olm.package" => {
                let words = format!(
                    "package name must be empty for deprecated package {q_package} (specified \
                     {q_name})",
                    q_package = quoted(package),
                    q_name = quoted(name)
                );
                return self.object(
                    &entry.name,
                    ObjectionKind::DeprecatedPackageName(name.clone()),
                    words,
                );
            }
            other => {
                let words = format!(
                    "cannot deprecate object {reference} referenced by entry {} for package \
                     {q_package}: object schema unknown",
                    deprecation.1,
                    q_package = quoted(package)
                );
                let kind = ObjectionKind::UnknownDeprecationSchema(other.to_owned());
                return self.object(&entry.schema, kind, words);
            }
        };
        match target {
            Ok(target) => *target = Some(deprecation),
            Err((owner, word)) => {
                let words = format!(
                    "cannot deprecate {word} {q_name} for package {q_package}: {word} not found",
                    q_name = quoted(name),
                    q_package = quoted(package)
                );
                let kind = ObjectionKind::UnknownDeprecated { owner, name: name.clone() };
                self.object(&entry.name, kind, words);
            }
        }
    }
}

/// The version of a bundle that a template only names by its image.
fn inferred_version(blob: &BundleBlob) -> Option<BundleVersion> {
    blob.properties.iter().find_map(|property| match &property.value {
        PropertyValue::Package { version, release, .. } => bundle_version(version, release),
        _ => None,
    })
}

fn unknown_package(owner: Owner, package: &str) -> ObjectionKind {
    if package.is_empty() {
        ObjectionKind::WithoutPackage(owner)
    } else {
        ObjectionKind::UnknownPackage { owner, package: package.to_owned() }
    }
}
