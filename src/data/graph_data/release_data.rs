//! What channels and build suggestions say about releases.

use std::sync::Arc;

use rayon::prelude::*;

use crate::domain::{Arena, HashSet, SharedList, Version};
use crate::text::{SourceId, Sources};

use super::{
    BuildSuggestions, Channel, DataFile, FileKind, GraphData, ReleaseId, ReleasePairs, Releases,
};

/// What the files about releases say.
pub(super) struct ReleaseData {
    pub(super) channels: SharedList<Channel>,
    pub(super) suggestions: Arc<Vec<BuildSuggestions>>,
    pub(super) releases: Arc<Releases>,
    /// Where the releases of another state are. None if its releases are the same, with the same
    /// ids.
    pub(super) pairs: Option<ReleasePairs>,
}

impl ReleaseData {
    pub(super) fn read(
        files: &Arena<SourceId, DataFile>,
        sources: &Sources,
        other: Option<&GraphData>,
    ) -> Self {
        let known = |file: &DataFile| {
            let other = other.filter(|other| other.has_in_place(file))?;
            other.channels.find(&file.id, |channel| channel.file).cloned()
        };
        let read = |file| match known(file) {
            Some(channel) => Some((channel, true)),
            None => Some((Arc::new(Channel::read(file, sources)?), false)),
        };
        let mut channels: Vec<(Arc<Channel>, bool)> = files.par_iter().filter_map(read).collect();
        let is_of_suggestions = |kind: FileKind| kind == FileKind::BuildSuggestions;
        let same = other.filter(|other| other.has_all_of(files, is_of_suggestions));
        let read = || files.iter().filter_map(|file| BuildSuggestions::read(file, sources));
        let suggestions =
            same.map_or_else(|| Arc::new(read().collect()), |other| Arc::clone(&other.suggestions));
        let releases_before = other.map(|other| &other.releases);
        let versions = versions_once(&channels, releases_before.map_or(0, |before| before.len()));
        let releases = Releases::of(versions, releases_before);
        let moved = other.filter(|other| !Arc::ptr_eq(&releases, &other.releases));
        let pairs = moved.map(|other| ReleasePairs::between(&other.releases, &releases));
        channels.par_iter_mut().for_each(|(channel, is_known)| match (*is_known, &pairs) {
            (false, _) => Arc::make_mut(channel).find_releases(&releases),
            (true, Some(pairs)) => Arc::make_mut(channel).move_releases(pairs, &releases),
            (true, None) => {}
        });
        let channels = channels.into_iter().map(|(channel, _)| channel).collect();
        Self { channels, suggestions, releases, pairs }
    }
}

/// The versions in channels. Most are in many channels, and are listed once. A known channel has the
/// ids of releases of another state. `most` is their number.
fn versions_once(channels: &[(Arc<Channel>, bool)], most: usize) -> impl Iterator<Item = &Version> {
    let mut seen_releases: Arena<ReleaseId, bool> = Arena::filled(most, false);
    let mut seen_texts: HashSet<&str> = HashSet::default();
    let members = channels.iter().flat_map(|(channel, is_known)| {
        channel.versions.iter().map(|member| (member.release.filter(|_| *is_known), member))
    });
    members.filter_map(move |(known, member)| {
        let version = member.version.as_ref()?;
        let is_new = match known.filter(|_| version.build.is_empty()) {
            Some(known) => !std::mem::replace(&mut seen_releases[known], true),
            None => seen_texts.insert(&member.text.value),
        };
        is_new.then_some(version)
    })
}
