//! The edges of a channel: which entries update which others.

use crate::domain::{Arena, HashMap};
use crate::moves::NodeId;

use super::super::package::CatalogChannel;
use super::Install;
use crate::go::semver::Range;

/// An edge, and the key of the entry that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedEdge {
    pub from: NodeId,
    /// The entry that declares it.
    pub to: NodeId,
    pub kind: EdgeKind,
}

/// The strongest key that makes an edge. The strongest is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Replaces,
    Skips,
    SkipRange,
}

impl EdgeKind {
    /// The name of the key in catalogs.
    pub fn key(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Skips => "skips",
            Self::SkipRange => "skipRange",
        }
    }
}

/// The channel has more edges than any real one, or its ranges take more checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The most checks of versions against bounds of ranges. The largest real channel needs some
/// thousands.
const MOST_QUESTIONS: usize = 20_000_000;
const MOST_EDGES: usize = 4_000_000;
/// The length in bytes of the shortest bound of a range with its separator.
const BOUND: usize = 8;

pub(super) fn edges(
    channel: &CatalogChannel,
    installs: &Arena<NodeId, Install<'_>>,
) -> Result<Vec<TypedEdge>, TooLarge> {
    let mut by_name: HashMap<&str, Vec<NodeId>> = HashMap::default();
    for (node, install) in installs.entries() {
        by_name.entry(install.name).or_default().push(node);
    }
    let mut edges = Vec::new();
    let mut questions = 0;
    for (node, entry) in installs.ids().zip(&channel.entries) {
        if !installs[node].is_entry {
            continue;
        }
        let named = |name: &str| by_name.get(name).map_or(&[][..], Vec::as_slice);
        let first = edges.len();
        let mut add = |from: NodeId, kind| edges.push(TypedEdge { from, to: node, kind });
        for from in named(&entry.replaces).iter().filter(|_| !entry.replaces.is_empty()) {
            add(*from, EdgeKind::Replaces);
        }
        for skip in &entry.skips {
            for from in named(skip) {
                add(*from, EdgeKind::Skips);
            }
        }
        if let Some(range) = &entry.skip_range {
            // A range can be a list of thousands of versions, which takes longer to check.
            questions += installs.len() * (1 + range.text().len() / BOUND);
            if questions > MOST_QUESTIONS {
                return Err(TooLarge);
            }
            contained(range, installs).for_each(|from| add(from, EdgeKind::SkipRange));
        }
        edges[first..].sort_by_key(|edge| (edge.from, edge.kind));
        dedup_from(&mut edges, first);
        if edges.len() > MOST_EDGES {
            return Err(TooLarge);
        }
    }
    Ok(edges)
}

/// Keeps the strongest of the edges from one install. The edges after `first` are sorted.
fn dedup_from(edges: &mut Vec<TypedEdge>, first: usize) {
    let mut added = edges.split_off(first);
    added.dedup_by_key(|edge| edge.from);
    edges.append(&mut added);
}

fn contained(range: &Range, installs: &Arena<NodeId, Install<'_>>) -> impl Iterator<Item = NodeId> {
    let in_range = |install: &Install<'_>| {
        install.version.is_some_and(|version| range.contains(&version.version))
    };
    installs.entries().filter(move |(_, install)| in_range(install)).map(|(node, _)| node)
}
