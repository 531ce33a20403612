//! Finds the releases of a lineage by version.

use std::collections::HashMap;

use crate::domain::version::strip_build;
use crate::lineage::Node;

pub(super) struct ReleaseIndex<'l> {
    pub(super) nodes: &'l [Node],
    /// In the notation of the service.
    pub(super) texts: Vec<String>,
    by_text: HashMap<String, u32>,
    /// The releases of each version, with any text after the `+`.
    by_core: HashMap<String, Vec<u32>>,
}

impl<'l> ReleaseIndex<'l> {
    pub(super) fn new(nodes: &'l [Node]) -> Self {
        let texts: Vec<String> = nodes.iter().map(|node| node.version.to_string()).collect();
        let mut by_core: HashMap<String, Vec<u32>> = HashMap::new();
        for (at, text) in (0..).zip(&texts) {
            let core = strip_build(text);
            match by_core.get_mut(core) {
                Some(alike) => alike.push(at),
                None => _ = by_core.insert(core.to_owned(), vec![at]),
            }
        }
        let by_text = texts.iter().cloned().zip(0..).collect();
        Self { nodes, texts, by_text, by_core }
    }

    pub(super) fn exact(&self, version: &str) -> Option<u32> {
        self.by_text.get(version).copied()
    }

    /// All builds of a version.
    pub(super) fn any_build(&self, version: &str) -> &[u32] {
        let core = strip_build(version);
        self.by_core.get(core).map_or(&[], Vec::as_slice)
    }
}
