//! The contents of a file of Cincinnati JSON, with positions.

use std::collections::BTreeMap;

use crate::domain::{Arena, ids};
use crate::text::{Span, Spanned};

ids! {
    /// A node of one [`GraphFile`]. In an edge, it may be beyond the last node.
    GraphNodeId;
}

/// The largest graph to read. The service's whole graph has about 30 MiB.
pub(crate) const MAX_GRAPH: u64 = 128 << 20;

/// The contents of a file of Cincinnati JSON.
#[derive(Debug, Default)]
pub struct GraphFile {
    /// The format's `version`, which only answers to clusters have.
    pub version: Option<Spanned<String>>,
    /// The releases. None if a release cannot be understood. It still keeps its id.
    pub nodes: Arena<GraphNodeId, Option<GraphNode>>,
    /// The unconditional updates.
    pub edges: Vec<Pair<GraphNodeId>>,
    /// The conditional updates. None if the file does not have the key.
    pub conditional: Option<Vec<ConditionalGroup>>,
    /// What cannot be understood.
    pub faults: Vec<GraphFault>,
    /// The number of faults that are not in `faults`: a broken file can have millions.
    pub more_faults: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFault {
    pub span: Span,
    /// What is wrong, as the end of a sentence.
    pub why: String,
    /// Whether nothing after the fault can be read.
    pub is_fatal: bool,
    /// Whether clusters accept it although other readers reject the graph.
    pub clusters_accept: bool,
}

#[derive(Clone, Debug)]
pub struct GraphNode {
    pub version: Spanned<String>,
    /// The image. None if the release is only known because others list it.
    pub payload: Option<Spanned<String>>,
    pub metadata: Metadata,
}

impl GraphNode {
    /// The image. None if it is unknown: an empty text, or no text at all.
    pub(crate) fn image(&self) -> Option<&str> {
        let payload = self.payload.as_ref()?;
        Some(payload.value.as_str()).filter(|image| !image.is_empty())
    }
}

pub(crate) type Metadata = BTreeMap<String, Spanned<String>>;

/// The origin and target of an update: each an id or a version.
#[derive(Clone, Debug)]
pub struct Pair<End> {
    pub span: Span,
    pub from: End,
    pub to: End,
}

#[derive(Clone, Debug)]
pub struct ConditionalGroup {
    pub span: Span,
    pub form: GroupForm,
    pub edges: Vec<Pair<Spanned<String>>>,
    /// The risks, in file order.
    pub risks: Vec<PlacedRisk>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupForm {
    /// `edges` and `risks`: the notation that clusters read.
    EdgesAndRisks,
    /// `from`, `to`, and `qualifiers`: the first draft of the enhancement, which no cluster
    /// understands.
    Qualifiers,
}

#[derive(Clone, Debug)]
pub struct PlacedRisk {
    pub span: Span,
    pub url: Option<Spanned<String>>,
    pub name: Option<Spanned<String>>,
    pub message: Option<Spanned<String>>,
    pub rules: Vec<PlacedRule>,
}

#[derive(Clone, Debug)]
pub struct PlacedRule {
    /// `Always`, `PromQL`, or an invalid type.
    pub kind: Option<Spanned<String>>,
    /// The place of the property `promql`. None if it is missing or `null`.
    pub promql: Option<Span>,
    pub query: Option<Spanned<String>>,
}

impl GraphFile {
    /// Whether the file has a node with this id.
    pub fn has(&self, id: GraphNodeId) -> bool {
        id.index() < self.nodes.len()
    }

    /// The unconditional updates between nodes that exist.
    pub fn open(&self) -> impl Iterator<Item = &Pair<GraphNodeId>> + Clone {
        self.edges.iter().filter(|edge| self.has(edge.from) && self.has(edge.to))
    }

    /// The groups of conditional updates.
    pub fn groups(&self) -> &[ConditionalGroup] {
        self.conditional.as_deref().unwrap_or_default()
    }
}
