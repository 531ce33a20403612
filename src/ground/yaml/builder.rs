//! Builds a [`Document`] node by node.

use std::ops::Range;

use crate::domain::HashMap;

use super::{
    Cause, Comment, Document, Entries, Items, MappingEntry, Node, NodeId, Range32, Scalar, Style,
    SyntaxError, Value,
};

/// The deepest nesting, which is the limit of the service's parser. Real files are far less deep.
pub(super) const DEPTH: usize = 128;

/// The most nodes of a document. Each takes some hundred bytes while it is read.
const MOST_NODES: usize = 1_000_000;

pub(super) struct DocumentBuilder<'s> {
    source: &'s str,
    pub(super) document: Document,
    /// The collections around the current event.
    open: Vec<OpenCollection>,
    /// The items, and the keys and values, of these collections, innermost last.
    children: Vec<NodeId>,
    anchors: HashMap<usize, NodeId>,
}

struct OpenCollection {
    id: NodeId,
    is_flow: bool,
    /// The length of `children` when the collection began.
    children_before: usize,
}

/// The two kinds of collections.
#[derive(Clone, Copy)]
pub(super) enum Collection {
    List,
    Mapping,
}

impl<'s> DocumentBuilder<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        let document = Document { is_ordinary: true, ..Document::default() };
        Self {
            source,
            document,
            open: Vec::new(),
            children: Vec::new(),
            anchors: HashMap::default(),
        }
    }

    /// Reserves memory for nodes, and for as much text as the source has.
    pub(super) fn with_capacity(source: &'s str, nodes: usize) -> Self {
        let mut builder = Self::new(source);
        builder.document.nodes.reserve(nodes);
        builder.document.texts.reserve(source.len());
        builder
    }

    pub(super) fn comment(&mut self, comment: Comment) {
        self.document.comments.push(comment);
    }

    /// Adds `[]`.
    pub(super) fn empty_list(&mut self, range: Range<usize>) {
        self.document.is_ordinary = false;
        let value = Value::Sequence(Items::default());
        self.add(Node::new(range, value), 0);
    }

    /// Finishes the document. An empty document becomes an empty scalar.
    pub(super) fn finish(mut self) -> Document {
        if self.document.nodes.is_empty() {
            let range = self.source.len()..self.source.len();
            self.scalar(range, "", Style::Plain);
        }
        self.document
    }

    /// Adds a scalar without an anchor.
    pub(super) fn scalar(&mut self, range: Range<usize>, text: &str, style: Style) {
        let value = Value::Scalar(self.text(text, style));
        self.add(Node::new(range, value), 0);
    }

    /// Keeps the text of a scalar.
    pub(super) fn text(&mut self, text: &str, style: Style) -> Scalar {
        let start = self.document.texts.len();
        self.document.texts.push_str(text);
        Scalar { text: Range32::of(start..self.document.texts.len()), style }
    }

    pub(super) fn begin(
        &mut self,
        kind: Collection,
        is_flow: bool,
        range: Range<usize>,
        anchor: usize,
    ) -> Result<(), SyntaxError> {
        if self.open.len() >= DEPTH {
            return Err(SyntaxError { cause: Cause::TooDeep, offset: range.start });
        }
        let value = match kind {
            Collection::List => Value::Sequence(Items::default()),
            Collection::Mapping => Value::Mapping(Entries::default()),
        };
        let id = self.add(Node::new(range, value), anchor);
        self.open.push(OpenCollection { id, is_flow, children_before: self.children.len() });
        Ok(())
    }

    pub(super) fn end(&mut self, range: &Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        let children = &self.children[open.children_before..];
        let Document { nodes, items, entries, .. } = &mut self.document;
        let last_child = match &mut nodes[open.id.0 as usize].value {
            Value::Sequence(own) => {
                let start = items.len();
                items.extend(children);
                own.0 = Range32::of(start..items.len());
                children.last().copied()
            }
            Value::Mapping(own) => {
                let start = entries.len();
                let pairs = children.chunks_exact(2);
                entries.extend(pairs.map(|pair| MappingEntry { key: pair[0], value: pair[1] }));
                own.0 = Range32::of(start..entries.len());
                entries[start..].last().map(|entry| entry.value)
            }
            Value::Scalar(_) | Value::Alias(_) => None,
        };
        self.children.truncate(open.children_before);
        // The library ends a block collection where the next node begins. The end of its last child
        // is better.
        let end = match last_child {
            _ if open.is_flow => range.end,
            Some(child) => self.document.node(child).range().end,
            None => range.start,
        };
        let node = &mut self.document.nodes[open.id.0 as usize];
        let start = node.range().start;
        node.place = Range32::of(start..end.max(start));
    }

    /// Fails if there are too many nodes for a document.
    pub(super) fn expect_few(&self, offset: usize) -> Result<(), SyntaxError> {
        if self.document.nodes.len() <= MOST_NODES {
            return Ok(());
        }
        Err(SyntaxError { cause: Cause::TooManyValues, offset })
    }

    pub(super) fn add(&mut self, node: Node, anchor: usize) -> NodeId {
        let id = NodeId(u32::try_from(self.document.nodes.len()).unwrap_or(u32::MAX));
        self.document.nodes.push(node);
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        if !self.open.is_empty() {
            self.children.push(id);
        }
        id
    }

    /// The node of an anchor. None if the alias is inside that node.
    pub(super) fn anchored(&self, anchor: usize) -> Option<NodeId> {
        let node = self.anchors.get(&anchor).copied();
        node.filter(|id| self.open.iter().all(|open| open.id != *id))
    }
}
