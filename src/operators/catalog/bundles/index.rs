//! Which bundles of a channel an index still has after they were added one by one.

use std::cmp::Ordering;

use super::super::declared::{ChannelBlob, EntryBlob};
use crate::domain::{HashMap, HashSet};
use crate::go::semver::Version;

/// The entries that the index keeps: the head (the highest version), the entries that its chain of
/// `replaces` reaches, and those that these skip. All entries if the versions do not tell the head.
pub(super) fn of_channel(
    channel: &ChannelBlob,
    versions: &HashMap<String, Option<Version>>,
) -> HashSet<String> {
    let entries: HashMap<&str, &EntryBlob> =
        channel.entries.iter().map(|entry| (entry.name.value.as_str(), entry)).collect();
    let all = || channel.entries.iter().map(|entry| entry.name.value.clone()).collect();
    let Some(head) = head(channel, versions) else { return all() };
    let mut kept: HashSet<String> = HashSet::default();
    let mut next = Some(head);
    while let Some(entry) = next {
        if !kept.insert(entry.name.value.clone()) {
            break;
        }
        next = entries.get(entry.replaces.value.as_str()).copied();
    }
    let chain = channel.entries.iter().filter(|entry| kept.contains(&entry.name.value));
    let skipped: Vec<&str> =
        chain.flat_map(|entry| &entry.skips).map(|skip| skip.value.as_str()).collect();
    kept.extend(skipped.into_iter().filter(|skip| entries.contains_key(skip)).map(str::to_owned));
    kept
}

/// The entry with the highest version. None if a version is unknown, or if two are the highest.
fn head<'c>(
    channel: &'c ChannelBlob,
    versions: &HashMap<String, Option<Version>>,
) -> Option<&'c EntryBlob> {
    let with_version = channel.entries.iter().map(|entry| {
        let version = versions.get(&entry.name.value)?.as_ref()?;
        Some((entry, version))
    });
    let mut all: Vec<(&EntryBlob, &Version)> = with_version.collect::<Option<_>>()?;
    all.sort_by(|a, b| b.1.precedence(a.1));
    let (head, highest) = *all.first()?;
    let is_shared =
        all.get(1).is_some_and(|(_, second)| second.precedence(highest) == Ordering::Equal);
    (!is_shared).then_some(head)
}
