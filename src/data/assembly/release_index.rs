//! Finds the releases of a lineage by version.

use crate::domain::version::{self, strip_build};
use crate::domain::{Arena, HashMap};
use crate::lineage::{LineageNode, LineageNodeId};

pub(super) struct ReleaseIndex<'l> {
    pub(super) nodes: &'l Arena<LineageNodeId, LineageNode>,
    /// Each version as the service writes it.
    pub(super) texts: Arena<LineageNodeId, String>,
    by_text: HashMap<String, LineageNodeId>,
    /// The releases of each version, with any text after the `+`.
    by_core: HashMap<String, Vec<LineageNodeId>>,
}

impl<'l> ReleaseIndex<'l> {
    pub(super) fn new(nodes: &'l Arena<LineageNodeId, LineageNode>) -> Self {
        let texts: Arena<LineageNodeId, String> =
            nodes.iter().map(|node| version::text_of(&node.version)).collect();
        let mut by_core: HashMap<String, Vec<LineageNodeId>> = HashMap::default();
        for (id, text) in texts.entries() {
            let core = strip_build(text);
            match by_core.get_mut(core) {
                Some(alike) => alike.push(id),
                None => _ = by_core.insert(core.to_owned(), vec![id]),
            }
        }
        let by_text = texts.iter().cloned().zip(texts.ids()).collect();
        Self { nodes, texts, by_text, by_core }
    }

    /// The release with exactly this version.
    pub(super) fn exact(&self, version: &str) -> Option<LineageNodeId> {
        self.by_text.get(version).copied()
    }

    /// Every release of a version, with any build.
    pub(super) fn any_build(&self, version: &str) -> &[LineageNodeId] {
        let core = strip_build(version);
        self.by_core.get(core).map_or(&[], Vec::as_slice)
    }
}
