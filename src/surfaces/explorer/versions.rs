//! The versions of all states, oldest first. The page knows releases by their numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::{Arch, Arena, HashMap, Named, Version, is_general};
use crate::graph::{ChannelId, Release, without_arch};
use crate::text::printable;

use super::Exploration;

/// The metadata key with the address of a release's notes.
const URL_KEY: &str = "url";

#[derive(Debug, Default)]
pub(super) struct Versions {
    numbers: HashMap<String, usize>,
    list: Vec<VersionJson>,
}

#[derive(Debug, Serialize)]
pub(super) struct VersionJson {
    #[serde(rename = "v")]
    text: String,
    /// Whether it is a pre-release.
    #[serde(rename = "p", skip_serializing_if = "std::ops::Not::not")]
    is_early: bool,
    #[serde(rename = "u", skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The column of a release whose version does not say its minor.
    #[serde(rename = "m", skip_serializing_if = "Option::is_none")]
    column: Option<String>,
}

impl VersionJson {
    /// A release with a name.
    pub(super) fn named(name: String, column: String) -> Self {
        Self { text: name, is_early: false, url: None, column: Some(column) }
    }
}

impl Versions {
    /// The versions of all releases that a shown channel has.
    pub(super) fn of(exploration: &Exploration<'_>) -> Self {
        let mut found: BTreeMap<VersionOrder, Option<String>> = BTreeMap::new();
        for explored in exploration.states.iter().flat_map(|state| &state.graphs) {
            let graph = explored.graph;
            let is_shown = graph.channels.ids().map(|id| exploration.shows(*explored, id));
            let is_shown: Arena<ChannelId, bool> = is_shown.collect();
            let releases = graph.graph.node_weights();
            for release in releases.filter(|one| one.channels.iter().any(|id| is_shown[*id])) {
                let url = release.metadata.get(URL_KEY).map(|url| printable(url).into_owned());
                for text in texts(release) {
                    let known =
                        found.entry(VersionOrder(release.version.clone(), text)).or_default();
                    *known = known.take().or_else(|| url.clone());
                }
            }
        }
        let mut versions = Self::default();
        for (VersionOrder(version, text), url) in found {
            if !versions.numbers.contains_key(&text) {
                versions.numbers.insert(text.clone(), versions.list.len());
                let is_early = !is_general(&version);
                versions.list.push(VersionJson { text, is_early, url, column: None });
            }
        }
        versions
    }

    /// The number of a release for an architecture.
    pub(super) fn number(&self, release: &Release, arch: Arch) -> Option<usize> {
        self.numbers.get(&*without_arch(release, arch)).copied()
    }

    pub(super) fn text(&self, number: usize) -> &str {
        &self.list[number].text
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn into_list(self) -> Vec<VersionJson> {
        self.list
    }
}

/// The texts of a version for the architectures that have the release.
fn texts(release: &Release) -> impl Iterator<Item = String> {
    let arches = Arch::ALL.iter().copied().filter(|arch| release.is_for(*arch));
    arches.map(|arch| without_arch(release, arch).into_owned())
}

/// Orders versions as the graph does, and equal ones by their texts.
#[derive(Debug, PartialEq, Eq)]
struct VersionOrder(Version, String);

impl Ord for VersionOrder {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp_precedence(&other.0).then_with(|| self.1.cmp(&other.1))
    }
}

impl PartialOrd for VersionOrder {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
