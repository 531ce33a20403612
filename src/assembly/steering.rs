//! Metadata by which releases, and `raw/metadata.json`, add and remove updates.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::graph::{ARCH_KEY, Knowledge, REMOVE_REGEX_KEY};
use crate::graph_data::{GraphData, Kind, Verdict};
use crate::lineage::{Lineage, Node, Update};
use crate::version::{self, Version};

use super::Nodes;
use super::declared::{Declared, Rules};

const PREVIOUS_ADD: &str = "io.openshift.upgrades.graph.previous.add";
const PREVIOUS_REMOVE: &str = "io.openshift.upgrades.graph.previous.remove";
const NEXT_ADD: &str = "io.openshift.upgrades.graph.next.add";
const NEXT_REMOVE: &str = "io.openshift.upgrades.graph.next.remove";

/// What metadata says of updates.
#[derive(Default)]
pub(super) struct Steering {
    /// The releases' metadata where `raw/metadata.json` adds to it.
    metadata: HashMap<usize, BTreeMap<Arc<str>, Arc<str>>>,
    /// Updates that it adds.
    pub(super) added: Vec<Update>,
    /// Updates that it takes away, by the key.
    taken: HashMap<(u32, u32), &'static str>,
    /// Releases all of whose incoming updates it takes away.
    closed: HashSet<u32>,
    /// The patterns that releases bring.
    patterns: Vec<Option<Arc<str>>>,
}

impl Steering {
    pub(super) fn of(data: &GraphData, lineage: &Lineage, releases: &Nodes<'_>) -> Self {
        let mut steering =
            Self { metadata: raw_metadata(data, lineage, releases), ..Self::default() };
        let mut patterns = Vec::with_capacity(lineage.nodes.len());
        for (at, node) in (0..).zip(&lineage.nodes) {
            let metadata = steering.metadata.get(&(at as usize)).unwrap_or(&node.metadata);
            patterns.push(metadata.get(REMOVE_REGEX_KEY).cloned());
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
            steering.added.extend(added.filter(|(a, b)| a != b).map(|(from, to)| Update {
                from,
                to,
                knowledge,
            }));
            steering
                .taken
                .extend(not_previous.into_iter().map(|from| ((from, at), PREVIOUS_REMOVE)));
            steering.taken.extend(not_next.into_iter().map(|to| ((at, to), NEXT_REMOVE)));
            steering.closed.extend(all.then_some(at));
        }
        steering.added.sort_unstable();
        steering.added.dedup();
        steering.patterns = patterns;
        steering
    }

    /// Whether it takes nothing away.
    pub(super) fn is_idle(&self) -> bool {
        self.taken.is_empty() && self.closed.is_empty()
    }

    /// The key that takes an update away, if one does.
    pub(super) fn takes_away(&self, from: u32, to: usize) -> Option<&'static str> {
        if self.is_idle() {
            return None;
        }
        let to = u32::try_from(to).unwrap_or(u32::MAX);
        let closed = self.closed.contains(&to).then_some(PREVIOUS_REMOVE);
        closed.or_else(|| self.taken.get(&(from, to)).copied())
    }

    /// The pattern that each release brings.
    pub(super) fn patterns(&self) -> impl Iterator<Item = Option<&str>> {
        self.patterns.iter().map(|pattern| pattern.as_deref())
    }

    /// A release's metadata as it is served, without its channels.
    pub(super) fn metadata(
        &self,
        at: usize,
        node: &Node,
        rules: &Rules,
        declared: &Declared,
    ) -> BTreeMap<Arc<str>, Arc<str>> {
        let mut metadata = self.metadata.get(&at).unwrap_or(&node.metadata).clone();
        if rules.pieces().next().is_some() && !node.is_abstract {
            metadata.insert(REMOVE_REGEX_KEY.into(), declared.removal_pattern(rules).into());
        }
        metadata
    }
}

/// The releases that a list names. The architecture of the release that bears the list stands
/// for that of each.
fn named(list: &str, metadata: &BTreeMap<Arc<str>, Arc<str>>, releases: &Nodes<'_>) -> Vec<u32> {
    let arch = metadata.get(ARCH_KEY).and_then(|arch| semver::BuildMetadata::new(arch).ok());
    let place = |name: &str| {
        let mut version: Version = version::parse(name.trim())?;
        if let Some(arch) = &arch {
            version.build = arch.clone();
        }
        releases.by_text.get(&version.to_string()).copied()
    };
    list.split(',').filter_map(place).collect()
}

/// The metadata of each release that `raw/metadata.json` adds to: a value that is there
/// already is made longer.
fn raw_metadata(
    data: &GraphData,
    lineage: &Lineage,
    releases: &Nodes<'_>,
) -> HashMap<usize, BTreeMap<Arc<str>, Arc<str>>> {
    let mut all: HashMap<usize, BTreeMap<Arc<str>, Arc<str>>> = HashMap::new();
    let loads = |kind| kind == Kind::RawMetadata;
    let files = data.files.iter().filter(|file| loads(file.kind) && file.verdict == Verdict::Loads);
    for document in files.filter_map(|file| file.document()) {
        for entry in document.entries(document.root()) {
            let Some(version) = document.text(entry.key) else { continue };
            for node in releases.of_core(version.trim_ascii()) {
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
