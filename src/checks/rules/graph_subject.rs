//! The input of rules about update graphs: a file of Cincinnati JSON, with its nodes and
//! updates resolved.

use crate::domain::version::{self, Version};
use crate::domain::{Arena, Buckets, FastHash, HashMap};
use crate::graph::cincinnati::{ConditionalGroup, GraphFile, GraphNode, GraphNodeId, Pair};
use crate::graph_file::ReadGraph;
use crate::rules::shortened;
use crate::text::{Source, Span, Spanned};

/// An update graph in a file.
#[derive(Debug)]
pub struct GraphSubject<'a> {
    /// The file.
    pub file: &'a ReadGraph,
    /// Its text.
    pub text: &'a str,
    path: &'a str,
    /// Its content.
    pub graph: &'a GraphFile,
    /// The version of each node, if it is a valid version.
    pub versions: Arena<GraphNodeId, Option<Version>>,
    /// The conditional updates of all groups, in the order written.
    pub conditional: Vec<ConditionalUpdate<'a>>,
}

/// A conditional update.
#[derive(Clone, Copy, Debug)]
pub struct ConditionalUpdate<'a> {
    /// Its group.
    pub group: &'a ConditionalGroup,
    /// Its origin and target, as written.
    pub edge: &'a Pair<Spanned<String>>,
    /// The node of its origin, if there is one.
    pub from: Option<GraphNodeId>,
    /// The node of its target, if there is one.
    pub to: Option<GraphNodeId>,
}

/// An update between two nodes, conditional or not.
#[derive(Clone, Copy, Debug)]
pub struct PlacedUpdate {
    /// The node of its origin.
    pub from: GraphNodeId,
    /// The node of its target.
    pub to: GraphNodeId,
    /// Its place in the file.
    pub span: Span,
}

impl<'a> GraphSubject<'a> {
    /// A file, and its text.
    pub fn new(file: &'a ReadGraph, source: &'a Source) -> Self {
        let graph = &file.graph;
        let version = |node: &Option<GraphNode>| version::parse(&node.as_ref()?.version.value);
        let versions = graph.nodes.iter().map(version).collect();
        let mut nodes = HashMap::with_capacity_and_hasher(graph.nodes.len(), FastHash::default());
        for (id, node) in graph.nodes.entries() {
            if let Some(node) = node {
                nodes.entry(node.version.value.as_str()).or_insert(id);
            }
        }
        let conditional = graph.groups().iter().flat_map(|group| {
            group.edges.iter().map(|edge| {
                let node = |end: &Spanned<String>| nodes.get(end.value.as_str()).copied();
                ConditionalUpdate { group, edge, from: node(&edge.from), to: node(&edge.to) }
            })
        });
        let conditional = conditional.collect();
        let (text, path) = (source.text(), source.path());
        Self { file, text, path, graph, versions, conditional }
    }

    /// The file's name without its extension, which may be the name of its channel.
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The unconditional updates between nodes that exist.
    pub fn open(&self) -> impl Iterator<Item = PlacedUpdate> + Clone {
        self.graph.open().map(|edge| {
            let Pair { span, from, to } = *edge;
            PlacedUpdate { from, to, span }
        })
    }

    /// All updates between nodes that exist, unconditional ones first.
    pub fn updates(&self) -> impl Iterator<Item = PlacedUpdate> + Clone {
        let conditional = self.conditional.iter().filter_map(|conditional| {
            Some(PlacedUpdate {
                from: conditional.from?,
                to: conditional.to?,
                span: conditional.edge.span,
            })
        });
        self.open().chain(conditional)
    }

    /// The targets of the unconditional updates from each node.
    pub fn adjacency(&self) -> Buckets<GraphNodeId, GraphNodeId> {
        let edges = self.open().map(|update| (update.from, update.to));
        Buckets::of(self.versions.len(), edges)
    }

    /// The versions of an update's origin and target, if both are valid.
    pub fn ends(&self, update: PlacedUpdate) -> Option<(&Version, &Version)> {
        let version = |node: GraphNodeId| self.versions[node].as_ref();
        version(update.from).zip(version(update.to))
    }

    /// The name of a node for a message.
    pub fn name(&self, node: GraphNodeId) -> String {
        match &self.graph.nodes[node] {
            Some(node) => format!("`{}`", shortened(&node.version.value)),
            None => format!("node {}", node.index()),
        }
    }

    /// An update for a message.
    pub fn arrow(&self, update: PlacedUpdate) -> String {
        format!("{} → {}", self.name(update.from), self.name(update.to))
    }
}

impl ConditionalUpdate<'_> {
    /// The update for a message.
    pub fn arrow(&self) -> String {
        let Pair { from, to, .. } = self.edge;
        format!("`{}` → `{}`", shortened(&from.value), shortened(&to.value))
    }
}
