//! Finds the part of a catalog that a finding is about.

use crate::catalog::declared::is_within;
use crate::rules::{CatalogSubject, Finding, Place};

/// Adds the package, the channel, the entry, and its role to a finding on the text of a catalog.
pub(super) fn add(subject: &CatalogSubject<'_>, finding: &mut Finding) {
    let Place::Text(span) = finding.place else { return };
    let declared = subject.declared;
    let place = &mut finding.catalog;
    if let Some(channel) = declared.channel_around(span) {
        let (package, name) = (&channel.package.value, &channel.name.value);
        place.package = Some(package.clone());
        place.channel = Some(name.clone());
        let entry = channel.entries.iter().find(|entry| is_within(span, entry.span));
        let mut all = subject.moves();
        let moves = all.find(|moves| moves.package.name == *package && moves.channel.name == *name);
        place.entry = entry.map(|entry| entry.name.value.clone());
        place.role = entry
            .zip(moves)
            .and_then(|(entry, moves)| Some(moves.role(moves.named(&entry.name.value)?)));
    } else if let Some(bundle) = declared.bundle_around(span) {
        let (channels, role) = subject.channels_with(&bundle.package.value, &bundle.name.value);
        place.package = Some(bundle.package.value.clone());
        place.channel = <[&str; 1]>::try_from(channels).ok().map(|[only]| only.to_owned());
        place.entry = Some(bundle.name.value.clone());
        place.role = role;
    } else if let Some(package) = declared.package_around(span) {
        place.package = Some(package.name.value.clone());
    } else if let Some(deprecations) = declared.deprecations_around(span) {
        place.package = Some(deprecations.package.value.clone());
    }
}
