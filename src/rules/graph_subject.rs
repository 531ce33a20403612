//! The input of rules about update graphs: a file of Cincinnati JSON, with its nodes and
//! updates resolved.

use std::collections::HashMap;

use crate::domain::Buckets;
use crate::domain::version::{self, Version};
use crate::graph::cincinnati::{ConditionalGroup, GraphFile, GraphNode, Pair};
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
    pub versions: Vec<Option<Version>>,
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
    pub from: Option<u32>,
    /// The node of its target, if there is one.
    pub to: Option<u32>,
}

/// An update between two nodes, conditional or not.
#[derive(Clone, Copy, Debug)]
pub struct PlacedUpdate {
    /// The node of its origin.
    pub from: u32,
    /// The node of its target.
    pub to: u32,
    /// Its place in the file.
    pub span: Span,
}

impl<'a> GraphSubject<'a> {
    /// A file, and its text.
    #[must_use]
    pub fn new(file: &'a ReadGraph, source: &'a Source) -> Self {
        let graph = &file.graph;
        let version = |node: &Option<GraphNode>| version::parse(&node.as_ref()?.version.value);
        let versions = graph.nodes.iter().map(version).collect();
        let mut nodes = HashMap::with_capacity(graph.nodes.len());
        for (at, node) in (0..).zip(&graph.nodes) {
            if let Some(node) = node {
                nodes.entry(node.version.value.as_str()).or_insert(at);
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
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The unconditional updates between nodes that exist.
    pub fn open(&self) -> impl Iterator<Item = PlacedUpdate> + Clone {
        let node = |index: usize| u32::try_from(index).ok().filter(|_| index < self.versions.len());
        self.graph.edges.iter().filter_map(move |edge| {
            Some(PlacedUpdate { from: node(edge.from)?, to: node(edge.to)?, span: edge.span })
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
    #[must_use]
    pub fn adjacency(&self) -> Buckets<u32, u32> {
        let edges = self.open().map(|update| (update.from, update.to));
        Buckets::of(self.versions.len(), edges)
    }

    /// The versions of an update's origin and target, if both are valid.
    #[must_use]
    pub fn ends(&self, update: PlacedUpdate) -> Option<(&Version, &Version)> {
        let version = |node: u32| self.versions[node as usize].as_ref();
        version(update.from).zip(version(update.to))
    }

    /// The name of a node for a message.
    #[must_use]
    pub fn name(&self, node: u32) -> String {
        match self.graph.node(node as usize) {
            Some(node) => format!("`{}`", shortened(&node.version.value)),
            None => format!("node {node}"),
        }
    }

    /// An update for a message.
    #[must_use]
    pub fn arrow(&self, update: PlacedUpdate) -> String {
        format!("{} → {}", self.name(update.from), self.name(update.to))
    }
}

impl ConditionalUpdate<'_> {
    /// The update for a message.
    #[must_use]
    pub fn arrow(&self) -> String {
        let Pair { from, to, .. } = self.edge;
        format!("`{}` → `{}`", shortened(&from.value), shortened(&to.value))
    }
}
