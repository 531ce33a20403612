//! Metadata that adds and removes updates: that of releases, and that of `raw/metadata.json`.

use std::sync::Arc;

use crate::domain::version::{self, Version};
use crate::domain::{Arena, HashMap, HashSet};
use crate::graph::{ARCH_KEY, Knowledge, REMOVE_REGEX_KEY, ReleaseMetadata};
use crate::graph_data::{FileKind, GraphData, LoadVerdict};
use crate::lineage::{Lineage, LineageNode, LineageNodeId, ListedUpdate};

use super::release_index::ReleaseIndex;

const PREVIOUS_ADD: &str = "io.openshift.upgrades.graph.previous.add";
const PREVIOUS_REMOVE: &str = "io.openshift.upgrades.graph.previous.remove";
const NEXT_ADD: &str = "io.openshift.upgrades.graph.next.add";
const NEXT_REMOVE: &str = "io.openshift.upgrades.graph.next.remove";

/// What metadata adds and removes.
#[derive(Default)]
pub(super) struct EdgeMetadata {
    /// The complete metadata of releases that `raw/metadata.json` adds to.
    extended: HashMap<LineageNodeId, Arc<ReleaseMetadata>>,
    pub(super) added: Vec<ListedUpdate>,
    /// Removed updates, each with the key that removes it.
    removed: HashMap<(LineageNodeId, LineageNodeId), &'static str>,
    /// Releases whose incoming updates are all removed.
    all_removed: HashSet<LineageNodeId>,
    /// The pattern of each release that removes incoming updates.
    remove_patterns: Arena<LineageNodeId, Option<Arc<str>>>,
}

impl EdgeMetadata {
    pub(super) fn of(data: &GraphData, lineage: &Lineage, releases: &ReleaseIndex<'_>) -> Self {
        let mut edges = Self { extended: raw_metadata(data, lineage, releases), ..Self::default() };
        for (at, node) in lineage.nodes.entries() {
            let metadata = edges.extended.get(&at).unwrap_or(&node.metadata);
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
            edges.added.extend(added.filter(|(a, b)| a != b).map(|(from, to)| ListedUpdate {
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

    /// The key that removes an update, if one does.
    pub(super) fn removed_by(
        &self,
        from: LineageNodeId,
        to: LineageNodeId,
    ) -> Option<&'static str> {
        if !self.removes_any() {
            return None;
        }
        let all = self.all_removed.contains(&to).then_some(PREVIOUS_REMOVE);
        all.or_else(|| self.removed.get(&(from, to)).copied())
    }

    /// The pattern in a release's metadata that removes incoming updates.
    pub(super) fn remove_pattern(&self, id: LineageNodeId) -> Option<&str> {
        self.remove_patterns[id].as_deref()
    }

    /// A release's metadata as it is served, without its channels. A removal pattern replaces the
    /// release's own.
    pub(super) fn metadata(
        &self,
        id: LineageNodeId,
        node: &LineageNode,
        removal_pattern: Option<String>,
    ) -> Arc<ReleaseMetadata> {
        let mut metadata = self.extended.get(&id).unwrap_or(&node.metadata).clone();
        if let Some(pattern) = removal_pattern {
            Arc::make_mut(&mut metadata).insert(REMOVE_REGEX_KEY.into(), pattern.into());
        }
        metadata
    }
}

/// The releases that a list names, for the architecture of the release that has the list.
fn named(
    list: &str,
    metadata: &ReleaseMetadata,
    releases: &ReleaseIndex<'_>,
) -> Vec<LineageNodeId> {
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
) -> HashMap<LineageNodeId, Arc<ReleaseMetadata>> {
    let mut all: HashMap<LineageNodeId, Arc<ReleaseMetadata>> = HashMap::default();
    let files = data.files.iter().filter(|file| file.kind == FileKind::RawMetadata);
    let files = files.filter(|file| file.verdict == LoadVerdict::Loads);
    for document in files.filter_map(|file| file.document()) {
        for entry in document.entries(document.root()) {
            let Some(version) = document.text(entry.key) else { continue };
            for node in releases.any_build(version.trim_ascii()) {
                let own = || lineage.nodes[*node].metadata.clone();
                let metadata = Arc::make_mut(all.entry(*node).or_insert_with(own));
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
