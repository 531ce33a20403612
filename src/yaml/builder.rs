//! Builds a [`Document`] node by node.

use std::ops::Range;

use crate::domain::HashMap;

use super::{
    Cause, Comment, Document, MappingEntry, Node, NodeId, Scalar, Style, SyntaxError, Value,
};

/// The limit of the service's parser. Real files have a small depth.
pub(super) const DEPTH: usize = 128;

pub(super) struct DocumentBuilder<'s> {
    source: &'s str,
    pub(super) document: Document,
    /// The collections around the current event.
    open: Vec<OpenCollection>,
    anchors: HashMap<usize, NodeId>,
}

struct OpenCollection {
    id: NodeId,
    is_flow: bool,
    /// A key whose value is still missing.
    pending_key: Option<NodeId>,
}

impl<'s> DocumentBuilder<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self::with_capacity(source, 0)
    }

    pub(super) fn with_capacity(source: &'s str, nodes: usize) -> Self {
        let document = Document {
            nodes: Vec::with_capacity(nodes),
            root: NodeId(0),
            comments: Vec::new(),
            second: None,
            is_ordinary: true,
            is_plain: false,
        };
        Self { source, document, open: Vec::new(), anchors: HashMap::default() }
    }

    pub(super) fn comment(&mut self, comment: Comment) {
        self.document.comments.push(comment);
    }

    /// Adds `[]`.
    pub(super) fn empty_list(&mut self, range: Range<usize>) {
        self.document.is_ordinary = false;
        self.add(Node { range, value: Value::Sequence(Vec::new()), tagged_text: false }, 0);
    }

    /// An empty document has an empty scalar.
    pub(super) fn finish(mut self) -> Document {
        if self.document.nodes.is_empty() {
            let nothing = Scalar { text: String::new(), style: Style::Plain };
            let range = self.source.len()..self.source.len();
            self.add(Node { range, value: Value::Scalar(nothing), tagged_text: false }, 0);
        }
        self.document
    }

    pub(super) fn begin(
        &mut self,
        value: Value,
        is_flow: bool,
        range: Range<usize>,
        anchor: usize,
    ) -> Result<(), SyntaxError> {
        if self.open.len() >= DEPTH {
            return Err(SyntaxError { cause: Cause::TooDeep, offset: range.start });
        }
        let id = self.add(Node { range, value, tagged_text: false }, anchor);
        self.open.push(OpenCollection { id, is_flow, pending_key: None });
        Ok(())
    }

    pub(super) fn end(&mut self, range: &Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        let last_child = match &self.document.node(open.id).value {
            Value::Sequence(items) => items.last().copied(),
            Value::Mapping(entries) => entries.last().map(|entry| entry.value),
            _ => None,
        };
        // The library ends a block collection where the next node begins. Use its last child.
        let end = match last_child {
            _ if open.is_flow => range.end,
            Some(child) => self.document.node(child).range.end,
            None => range.start,
        };
        let node = &mut self.document.nodes[open.id.0 as usize];
        node.range.end = end.max(node.range.start);
    }

    pub(super) fn add(&mut self, node: Node, anchor: usize) -> NodeId {
        let id = NodeId(u32::try_from(self.document.nodes.len()).unwrap_or(u32::MAX));
        self.document.nodes.push(node);
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        if let Some(open) = self.open.last_mut() {
            match &mut self.document.nodes[open.id.0 as usize].value {
                Value::Sequence(items) => items.push(id),
                Value::Mapping(entries) => match open.pending_key.take() {
                    None => open.pending_key = Some(id),
                    Some(key) => entries.push(MappingEntry { key, value: id }),
                },
                _ => {}
            }
        }
        id
    }

    /// The node of an anchor. None inside of that node.
    pub(super) fn anchored(&self, anchor: usize) -> Option<NodeId> {
        let node = self.anchors.get(&anchor).copied();
        node.filter(|id| self.open.iter().all(|open| open.id != *id))
    }
}
