//! Validates opm's model.

use std::collections::{BTreeMap, BTreeSet};

use crate::go::{self, quoted};
use crate::text::Span;

use super::super::declared::{Declared, EntryBlob, PropertyValue, Text};
use super::chain;
use super::model::{Bundle, Deprecation, Model, ModelChannel, ModelPackage};
use super::objection::{MOST_NAMED, Objection, ObjectionKind};
use crate::go::semver::Range;

pub(super) fn validate(declared: &Declared, model: &Model<'_>, found: &mut Vec<Objection>) {
    for (name, package) in &model.packages {
        let headings = vec![format!("invalid package {q_name}", q_name = quoted(name))];
        Validation { declared, name, package, headings, found }.package();
    }
}

struct Validation<'v, 'd> {
    declared: &'d Declared,
    name: &'v str,
    package: &'v ModelPackage<'d>,
    /// The headings under which opm reports what is found now.
    headings: Vec<String>,
    found: &'v mut Vec<Objection>,
}

impl Validation<'_, '_> {
    fn object(&mut self, span: Span, kind: ObjectionKind, words: &str) {
        self.found.push(Objection::index(span, kind, words.to_owned(), &self.headings));
    }

    fn package(&mut self) {
        let blob = &self.declared.packages[self.package.blob];
        let default = &blob.default_channel;
        if default.value.is_empty() {
            self.object(
                blob.name.span,
                ObjectionKind::NoDefaultChannel,
                "default channel must be set",
            );
            if self.package.channels.is_empty() {
                let words = "package must contain at least one channel";
                self.object(blob.name.span, ObjectionKind::NoChannels, words);
            }
        } else if !self.package.channels.contains_key(default.value.as_str()) {
            let channels = self.package.channels.keys().map(|&name| name.to_owned()).collect();
            let kind =
                ObjectionKind::UnknownDefaultChannel { channel: default.value.clone(), channels };
            self.headings.push(format!("invalid channel {}", quoted(&default.value)));
            self.object(default.span, kind, "channel must contain at least one bundle");
            self.headings.pop();
        }
        for (name, channel) in &self.package.channels {
            self.headings.push(format!("invalid channel {q_name}", q_name = quoted(name)));
            self.channel(channel);
            self.headings.pop();
        }
        self.versions(blob.name.span);
        self.deprecation(self.package.deprecation);
    }

    fn channel(&mut self, channel: &ModelChannel<'_>) {
        let blob = channel.blob;
        if blob.entries.is_empty() {
            let kind = ObjectionKind::EmptyChannel(blob.name.value.clone());
            self.object(blob.name.span, kind, "channel must contain at least one bundle");
            return;
        }
        if let Some(fault) = chain::fault(channel) {
            let objection = Objection::index(fault.span, fault.kind, fault.words, &self.headings);
            self.found.push(objection.with_related(fault.related));
        }
        for entry in &blob.entries {
            // opm's model has only the first of duplicate entries.
            let first = channel.entries.get(entry.name.value.as_str());
            if first.is_some_and(|first| std::ptr::eq(*first, entry)) {
                self.headings.push(format!("invalid bundle {}", quoted(&entry.name.value)));
                self.entry(entry, self.package.bundles.get(entry.name.value.as_str()));
                self.headings.pop();
            }
        }
        self.deprecation(channel.deprecation);
    }

    fn entry(&mut self, entry: &EntryBlob, bundle: Option<&Bundle<'_>>) {
        if entry.name.value.is_empty() {
            self.object(entry.name.span, ObjectionKind::NamelessEntry, "name must be set");
        }
        for (at, skip) in entry.skips.iter().enumerate() {
            if skip.value.is_empty() {
                self.object(skip.span, ObjectionKind::EmptySkip, &format!("skip[{at}] is empty"));
            }
        }
        let range = &entry.skip_range;
        if let Err(why) = range_of(range) {
            let words = format!("invalid skipRange {}: {why}", quoted(&range.value));
            self.object(
                range.span,
                ObjectionKind::SkipRange { range: range.value.clone(), why: why.to_string() },
                &words,
            );
        }
        let Some(bundle) = bundle else {
            for words in [
                "must be exactly one property with type \"olm.package\"",
                "bundle image must be set",
            ] {
                let kind = ObjectionKind::NoBundle(entry.name.value.clone());
                let objection =
                    Objection::index(entry.name.span, kind, words.to_owned(), &self.headings);
                self.found.push(objection.only_opm());
            }
            return;
        };
        let blob = bundle.blob;
        let has_objects = blob
            .properties
            .iter()
            .any(|property| matches!(property.value, PropertyValue::BundleObject(_)));
        if blob.image.value.is_empty() && !has_objects && !blob.is_inferred {
            self.once_for_bundle(
                bundle,
                entry,
                blob.name.span,
                ObjectionKind::NoImage,
                "bundle image must be set",
            );
        }
        if let Some(version) = bundle.version.as_ref().filter(|version| version.release.is_some()) {
            if version.version.has_build() {
                let words = "cannot use build metadata in version with a release version";
                self.once_for_bundle(
                    bundle,
                    entry,
                    blob.name.span,
                    ObjectionKind::BuildAndRelease,
                    words,
                );
            }
            let name = &blob.name.value;
            let normalized = version.normalized_name(self.name).unwrap_or_default();
            if *name != normalized {
                let words = format!(
                    "name {q_name} does not match normalized name {q_normalized}",
                    q_name = quoted(name),
                    q_normalized = quoted(&normalized)
                );
                let kind = ObjectionKind::Name { name: name.clone(), normalized };
                self.once_for_bundle(bundle, entry, blob.name.span, kind, &words);
            }
        }
        self.deprecation(bundle.deprecation);
    }

    /// Reports a fault of a bundle once. opm reports it in each channel.
    fn once_for_bundle(
        &mut self,
        bundle: &Bundle<'_>,
        entry: &EntryBlob,
        span: Span,
        kind: ObjectionKind,
        words: &str,
    ) {
        let name = bundle.blob.name.value.as_str();
        let mut channels = self.package.channels.values();
        let first = channels.find_map(|channel| channel.entries.get(name));
        let is_first = first.is_some_and(|first| std::ptr::eq(*first, entry));
        let objection = Objection::index(span, kind, words.to_owned(), &self.headings);
        self.found.push(if is_first { objection } else { objection.only_opm() });
    }

    /// Finds bundles with the same version. opm takes an entry without a bundle for version 0.0.0.
    fn versions(&mut self, package: Span) {
        let mut by_version: BTreeMap<String, Vec<(&str, Option<Span>)>> = BTreeMap::new();
        for (name, bundle) in &self.package.bundles {
            if let Some(version) = &bundle.version {
                let same = by_version.entry(version.text()).or_default();
                same.push((name, Some(bundle.blob.name.span)));
            }
        }
        let entries = self.package.channels.values().flat_map(|channel| channel.entries.keys());
        let missing: BTreeSet<&str> =
            entries.copied().filter(|name| !self.package.bundles.contains_key(name)).collect();
        if !missing.is_empty() {
            let same = by_version.entry("0.0.0".to_owned()).or_default();
            same.extend(missing.into_iter().map(|name| (name, None)));
        }
        by_version.retain(|_, same| same.len() > 1);
        if by_version.is_empty() {
            return;
        }
        let mut groups = Vec::new();
        for (version, same) in &mut by_version {
            same.sort_unstable_by_key(|(name, _)| *name);
            let names: Vec<&str> = same.iter().map(|(name, _)| *name).collect();
            groups.push(format!("{{{version}: [{}]}}", names.join(", ")));
        }
        let said = format!("duplicate versions found in bundles: [{}]", groups.join(" "));
        for (version, same) in &by_version {
            let real: Vec<(&str, Span)> =
                same.iter().filter_map(|(name, span)| Some((*name, (*span)?))).collect();
            if let [first @ .., last] = real.as_slice()
                && !first.is_empty()
            {
                let bundles = real.iter().map(|(name, _)| (*name).to_owned()).collect();
                let kind = ObjectionKind::DuplicateVersion { version: version.clone(), bundles };
                let words = (groups.len() <= MOST_NAMED).then(|| said.clone());
                let objection = Objection::index(last.1, kind, words, &self.headings);
                let others = first.iter().map(|(_, span)| *span);
                self.found.push(objection.with_related(others).only_ours());
            }
        }
        let kind = ObjectionKind::DuplicateVersion { version: String::new(), bundles: Vec::new() };
        self.found.push(Objection::index(package, kind, said, &self.headings).only_opm());
    }

    fn deprecation(&mut self, deprecation: Option<Deprecation>) {
        let Some(deprecation) = deprecation else { return };
        let message = deprecation.message(self.declared);
        if message.value.is_empty() {
            let words = "invalid deprecation: message must be set";
            self.object(message.span, ObjectionKind::DeprecationMessage, words);
        }
    }
}

/// The range of an entry, if it has one.
fn range_of(text: &Text) -> Result<Option<Range>, go::Error> {
    if text.value.is_empty() { Ok(None) } else { Range::parse(&text.value).map(Some) }
}
