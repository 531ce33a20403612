//! Simulates a channel of the next catalog with entries copied from this catalog.

use super::super::package::{CatalogChannel, Package};
use super::super::simulation::{ChannelMoves, Resolver};

/// Looks at a channel of the next catalog as if it also had these entries of the current channel,
/// with their bundles. None if it is too large to simulate.
pub(super) fn with_brought<T>(
    now: &ChannelMoves<'_>,
    package: &Package,
    channel: &CatalogChannel,
    names: &[&str],
    look: impl FnOnce(&ChannelMoves<'_>) -> T,
) -> Option<T> {
    let mut package = package.clone();
    let mut channel = channel.clone();
    let bundles = now.package.bundles.iter().filter(|bundle| {
        names.contains(&bundle.name.as_str()) && package.bundle(&bundle.name).is_none()
    });
    let bundles: Vec<_> = bundles.cloned().collect();
    package.bundles.extend(bundles);
    package.bundles.sort_by(|a, b| a.name.cmp(&b.name));
    let entries = now.channel.entries.iter();
    let entries = entries.filter(|entry| names.contains(&entry.name.as_str()));
    channel.entries.extend(entries.cloned());
    let moves = ChannelMoves::of(&package, &channel, &[], Resolver::V0).ok()?;
    Some(look(&moves))
}
