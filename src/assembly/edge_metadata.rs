//! Metadata of releases and of `raw/metadata.json` that adds and removes updates.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::domain::version::{self, Version};
use crate::graph::{ARCH_KEY, Knowledge, REMOVE_REGEX_KEY};
use crate::graph_data::{GraphData, Kind, Verdict};
use crate::lineage::{Lineage, Node, Update};

use super::release_index::ReleaseIndex;

const PREVIOUS_ADD: &str = "io.openshift.upgrades.graph.previous.add";
const PREVIOUS_REMOVE: &str = "io.openshift.upgrades.graph.previous.remove";
const NEXT_ADD: &str = "io.openshift.upgrades.graph.next.add";
const NEXT_REMOVE: &str = "io.openshift.upgrades.graph.next.remove";

type Metadata = BTreeMap<Arc<str>, Arc<str>>;

#[derive(Default)]
pub(super) struct EdgeMetadata {
    /// The complete metadata of releases that `raw/metadata.json` adds to.
    extended: HashMap<usize, Metadata>,
    pub(super) added: Vec<Update>,
    /// The key that removes each update.
    removed: HashMap<(u32, u32), &'static str>,
    /// Releases whose incoming updates are all removed.
    all_removed: HashSet<u32>,
    /// A pattern of origins, for each release.
    remove_patterns: Vec<Option<Arc<str>>>,
}

impl EdgeMetadata {
    pub(super) fn of(data: &GraphData, lineage: &Lineage, releases: &ReleaseIndex<'_>) -> Self {
        let mut edges = Self { extended: raw_metadata(data, lineage, releases), ..Self::default() };
        edges.remove_patterns.reserve(lineage.nodes.len());
        for (at, node) in (0..).zip(&lineage.nodes) {
            let metadata = edges.extended.get(&(at as usize)).unwrap_or(&node.metadata);
            edges.remove_patterns.push(metadata.get(REMOVE_REGEX_KEY).cloned());
            let list = |key: &str| {
                let list = metadata.get(key).cloned();
                list.map(|list| named(&list, metadata, releases)).unwrap_or_default()
            };
            let (previous, next) = (list(PREVIOUS_ADD), list(NEXT_ADD));
            let (not_previous, not_next) = (list(PREVIOUS_REMOVE), list(NEXT_REMOVE));
            let all = metadata.get(PREVIOUS_REMOVE).is_some_and(|list| list.trim() == "*");
            let added = previous.into_iter().map(|from| (from, at));
            let added = added.chain(next.into_iter().map(|to| (at, to)));
            let knowledge = Knowledge::Given;
            edges.added.extend(added.filter(|(a, b)| a != b).map(|(from, to)| Update {
                from,
                to,
                knowledge,
            }));
            edges
                .removed
                .extend(not_previous.into_iter().map(|from| ((from, at), PREVIOUS_REMOVE)));
            edges.removed.extend(not_next.into_iter().map(|to| ((at, to), NEXT_REMOVE)));
            edges.all_removed.extend(all.then_some(at));
        }
        edges.added.sort_unstable();
        edges.added.dedup();
        edges
    }

    pub(super) fn removes_any(&self) -> bool {
        !self.removed.is_empty() || !self.all_removed.is_empty()
    }

    pub(super) fn removed_by(&self, from: u32, to: usize) -> Option<&'static str> {
        if !self.removes_any() {
            return None;
        }
        let to = u32::try_from(to).unwrap_or(u32::MAX);
        let all = self.all_removed.contains(&to).then_some(PREVIOUS_REMOVE);
        all.or_else(|| self.removed.get(&(from, to)).copied())
    }

    pub(super) fn remove_patterns(&self) -> impl Iterator<Item = Option<&str>> {
        self.remove_patterns.iter().map(|pattern| pattern.as_deref())
    }

    /// A release's metadata as it is served, without its channels. A removal pattern replaces the
    /// release's own.
    pub(super) fn metadata(
        &self,
        at: usize,
        node: &Node,
        removal_pattern: Option<String>,
    ) -> Metadata {
        let mut metadata = self.extended.get(&at).unwrap_or(&node.metadata).clone();
        if let Some(pattern) = removal_pattern {
            metadata.insert(REMOVE_REGEX_KEY.into(), pattern.into());
        }
        metadata
    }
}

/// The releases that a list names, for the architecture of the release that has the list.
fn named(list: &str, metadata: &Metadata, releases: &ReleaseIndex<'_>) -> Vec<u32> {
    let arch = metadata.get(ARCH_KEY).and_then(|arch| semver::BuildMetadata::new(arch).ok());
    let place = |name: &str| {
        let mut version: Version = version::parse(name.trim())?;
        if let Some(arch) = &arch {
            version.build = arch.clone();
        }
        releases.exact(&version.to_string())
    };
    list.split(',').filter_map(place).collect()
}

/// The complete metadata of each release that `raw/metadata.json` adds to. A value for a known
/// key is appended.
fn raw_metadata(
    data: &GraphData,
    lineage: &Lineage,
    releases: &ReleaseIndex<'_>,
) -> HashMap<usize, Metadata> {
    let mut all: HashMap<usize, Metadata> = HashMap::new();
    let files = data.files.iter().filter(|file| file.kind == Kind::RawMetadata);
    let files = files.filter(|file| file.verdict == Verdict::Loads);
    for document in files.filter_map(|file| file.document()) {
        for entry in document.entries(document.root()) {
            let Some(version) = document.text(entry.key) else { continue };
            for node in releases.any_build(version.trim_ascii()) {
                let at = *node as usize;
                let metadata = all.entry(at).or_insert_with(|| lineage.nodes[at].metadata.clone());
                for entry in document.entries(entry.value) {
                    let pair = document.text(entry.key).zip(document.text(entry.value));
                    let Some((key, value)) = pair else { continue };
                    let value = match metadata.get(key) {
                        Some(known) => format!("{known},{value}").into(),
                        None => value.into(),
                    };
                    metadata.insert(key.into(), value);
                }
            }
        }
    }
    all
}
