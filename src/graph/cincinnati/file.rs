//! What a file of Cincinnati JSON says, every value with its place.

use std::collections::BTreeMap;

use crate::text::{Span, Spanned};

/// The largest graph that is read. The whole graph of the service takes about 30 MiB.
pub(crate) const MAX_GRAPH: u64 = 128 << 20;

/// What a file of Cincinnati JSON says.
#[derive(Debug, Default)]
pub struct GraphFile {
    /// `version`, which only an answer to clusters has.
    pub version: Option<Spanned<String>>,
    /// The releases; of one that cannot be understood, nothing, to keep the places of the others.
    pub nodes: Vec<Option<Node>>,
    /// The unconditional updates.
    pub edges: Vec<Pair<usize>>,
    /// The conditional ones; none where the file does not speak of such.
    pub conditional: Option<Vec<Group>>,
    /// What could not be understood.
    pub faults: Vec<Fault>,
    /// How many faults there are besides: a file that is wrong throughout has millions.
    pub more_faults: usize,
}

/// Something that cannot be understood, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it stands.
    pub span: Span,
    /// What is wrong with it, as the end of a sentence.
    pub why: String,
    /// Whether nothing behind it could be read.
    pub is_fatal: bool,
    /// Whether clusters read on over it: stricter readers refuse the graph.
    pub clusters_accept: bool,
}

/// A release.
#[derive(Clone, Debug)]
pub struct Node {
    /// The place of all of it.
    pub span: Span,
    /// Its version.
    pub version: Spanned<String>,
    /// Its image; absent of a release that others name and nobody has seen.
    pub payload: Option<Spanned<String>>,
    /// What else is said of it.
    pub metadata: Metadata,
}

/// Metadata: keys, and values with their places.
pub(crate) type Metadata = BTreeMap<String, Spanned<String>>;

/// An update, its ends given by index or by version.
#[derive(Clone, Debug)]
pub struct Pair<End> {
    /// The place of all of it.
    pub span: Span,
    /// The end that it leads from.
    pub from: End,
    /// The end that it leads to.
    pub to: End,
}

/// Updates that share their risks.
#[derive(Clone, Debug)]
pub struct Group {
    /// The place of all of it.
    pub span: Span,
    /// How it is written.
    pub form: Form,
    /// The updates.
    pub edges: Vec<Pair<Spanned<String>>>,
    /// The risks, in the order written.
    pub risks: Vec<PlacedRisk>,
}

/// How conditional updates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `edges` and `risks`, as clusters know it.
    EdgesAndRisks,
    /// `from`, `to` and `qualifiers`: the enhancement's first draft, which no cluster knows.
    Qualifiers,
}

/// A risk in a file.
#[derive(Clone, Debug)]
pub struct PlacedRisk {
    /// The place of all of it.
    pub span: Span,
    /// Where to read about it.
    pub url: Option<Spanned<String>>,
    /// Its name.
    pub name: Option<Spanned<String>>,
    /// What an administrator is told.
    pub message: Option<Spanned<String>>,
    /// Which clusters are affected.
    pub rules: Vec<Rule>,
}

/// One way to tell whether a cluster is affected.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The place of all of it.
    pub span: Span,
    /// `Always`, `PromQL`, or what else was written.
    pub kind: Option<Spanned<String>>,
    /// The place of the property `promql`, unless that is `null`.
    pub promql: Option<Span>,
    /// The query.
    pub query: Option<Spanned<String>>,
}

impl GraphFile {
    /// The node that an end of an edge names.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)?.as_ref()
    }

    /// The groups of conditional updates.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        self.conditional.as_deref().unwrap_or_default()
    }
}
