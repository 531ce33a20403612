//! Compares a rewritten file with the intended result.

use std::collections::BTreeMap;

use crate::catalog::declared::{BundleBlob, ChannelBlob, Declared, EntryBlob};
use crate::catalog::package::{CatalogChannel, Entry};
use crate::domain::HashMap;

/// The channels to change, by package and name.
pub(super) type Wanted<'w> = BTreeMap<(&'w str, &'w str), &'w CatalogChannel>;

pub(super) fn name_of(blob: &ChannelBlob) -> (&str, &str) {
    (&blob.package.value, &blob.name.value)
}

/// Whether a rewritten file has the intended channels, and is otherwise unchanged.
pub(super) fn is_as_wanted(
    before: &Declared,
    after: &Declared,
    wanted: &Wanted<'_>,
    added: &[&BundleBlob],
) -> bool {
    let bundles = |all: &[BundleBlob]| -> Vec<String> { all.iter().map(without_places).collect() };
    let mut expected = bundles(&before.bundles);
    expected.extend(added.iter().map(|bundle| without_places(bundle)));
    let others = |declared: &Declared| {
        let packages = declared.packages.iter();
        let packages: Vec<_> = packages
            .map(|blob| (blob.name.value.clone(), blob.default_channel.value.clone()))
            .collect();
        let (faults, oddities) = (declared.faults.len(), declared.oddities.len());
        (packages, declared.deprecations.len(), declared.others, faults, oddities)
    };
    let channels = before.channels.iter().zip(&after.channels);
    before.channels.len() == after.channels.len()
        && channels.into_iter().all(|(old, new)| {
            let expected = wanted.get(&name_of(old));
            let expected =
                expected.map_or_else(|| lines(old), |channel| expected_lines(old, channel));
            name_of(old) == name_of(new) && lines(new) == expected
        })
        && bundles(&after.bundles) == expected
        && others(before) == others(after)
        && after.substitutions.is_empty()
}

fn without_places(bundle: &BundleBlob) -> String {
    let properties = bundle.properties.iter().map(|property| &property.kind.value);
    let properties: Vec<&String> = properties.collect();
    let (package, name, image) = (&bundle.package.value, &bundle.name.value, &bundle.image.value);
    format!("{package} {name} {image} {} {properties:?}", bundle.related_images.len())
}

/// An entry: its name, `replaces`, `skips` in a fixed order, and `skipRange`.
type ComparedEntry<'l> = (&'l str, &'l str, Vec<&'l str>, &'l str);

fn lines(blob: &ChannelBlob) -> Vec<ComparedEntry<'_>> {
    blob.entries.iter().map(line).collect()
}

fn line(entry: &EntryBlob) -> ComparedEntry<'_> {
    let mut skips: Vec<&str> = entry.skips.iter().map(|skip| skip.value.as_str()).collect();
    skips.sort_unstable();
    (&entry.name.value, &entry.replaces.value, skips, &entry.skip_range.value)
}

/// The entries that a channel should have. Each `skipRange` stays as it was written.
fn expected_lines<'l>(old: &'l ChannelBlob, channel: &'l CatalogChannel) -> Vec<ComparedEntry<'l>> {
    let known: HashMap<&str, &str> = old
        .entries
        .iter()
        .map(|entry| (entry.name.value.as_str(), entry.skip_range.value.as_str()))
        .collect();
    let line = |entry: &'l Entry| -> ComparedEntry<'l> {
        let mut skips: Vec<&str> = entry.skips.iter().map(String::as_str).collect();
        skips.sort_unstable();
        let own = || entry.skip_range.as_ref().map_or("", |range| range.text());
        let range = known.get(entry.name.as_str()).copied().unwrap_or_else(own);
        (&entry.name, &entry.replaces, skips, range)
    };
    channel.entries.iter().map(line).collect()
}
