//! What is at a place of a file that can be read.

use crate::domain::version::{self, Version};
use crate::graph_data::{BlockedEdge, DataFile, FileKind, GraphData, Reading};
use crate::text::{SourceId, Span};
use crate::yaml::{self, Document, NodeId};

/// A scalar at a place.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'d> {
    pub data: &'d GraphData,
    pub file: &'d DataFile,
    /// The byte of the file.
    pub offset: usize,
    /// The keys around it, outermost first. The last one is its own key.
    pub keys: Vec<&'d str>,
    pub node: NodeId,
    /// Whether it is a key and not a value.
    pub is_key: bool,
}

/// What a scalar says.
pub(super) enum Subject<'d> {
    Key,
    /// A `from`.
    Pattern(&'d BlockedEdge),
    /// A query, and the byte of it at the cursor.
    Query(&'d Reading, usize),
    RiskName(&'d str),
    Release(Version),
    Other,
}

impl<'d> Cursor<'d> {
    /// None if there is no scalar at the place.
    pub(super) fn at(data: &'d GraphData, path: &str, offset: usize) -> Option<Self> {
        let file = data.at_path(path)?;
        let document = file.document()?;
        let mut keys = Vec::new();
        let (node, is_key) = find(document, document.root(), offset, &mut keys)?;
        Some(Self { data, file, offset, keys, node, is_key })
    }

    pub(super) fn document(&self) -> &'d Document {
        // A cursor exists only in a file with a document, so the empty one is never used.
        static EMPTY: std::sync::LazyLock<Document> = std::sync::LazyLock::new(Document::default);
        self.file.document().unwrap_or(&EMPTY)
    }

    pub(super) fn text(&self) -> &'d str {
        self.document().text(self.node).unwrap_or_default()
    }

    pub(super) fn span(&self) -> Span {
        self.file.span(self.node)
    }

    /// The declaration of its file.
    pub(super) fn edge(&self) -> Option<&'d BlockedEdge> {
        edge_of(self.data, self.file.id)
    }

    pub(super) fn subject(&self) -> Subject<'d> {
        if self.is_key {
            return Subject::Key;
        }
        match (self.file.kind, self.keys.as_slice()) {
            (FileKind::BlockedEdge, ["from"]) => {
                self.edge().map_or(Subject::Other, Subject::Pattern)
            }
            (FileKind::BlockedEdge, ["name"]) | (FileKind::RiskTest, ["risk"]) => {
                Subject::RiskName(self.text())
            }
            (FileKind::BlockedEdge, [.., "promql"]) => self.query(),
            _ => version::parse(self.text()).map_or(Subject::Other, Subject::Release),
        }
    }

    fn query(&self) -> Subject<'d> {
        let Some(reading) = self.data.queries.reading(self.text()) else { return Subject::Other };
        let source = self.data.sources.get(self.file.id).text();
        let segments = yaml::segments(source, self.document(), self.node);
        let text = &reading.text;
        let is_before = |at: &usize| segments.source_offset(*at) <= self.offset;
        let within = text.char_indices().map(|(at, _)| at).take_while(is_before).last();
        Subject::Query(reading, within.unwrap_or_default())
    }
}

/// The declaration of a file.
pub(super) fn edge_of(data: &GraphData, file: SourceId) -> Option<&BlockedEdge> {
    data.blocked_edges.find(&file, |edge| edge.file).map(|edge| &**edge)
}

/// The scalar at a place, and whether it is a key. `keys` gets those around it.
fn find<'d>(
    document: &'d Document,
    node: NodeId,
    offset: usize,
    keys: &mut Vec<&'d str>,
) -> Option<(NodeId, bool)> {
    let holds = |node: NodeId| {
        let range = document.node(node).range();
        range.start <= offset && offset <= range.end
    };
    for entry in document.entries(node) {
        let key = document.text(entry.key).unwrap_or_default();
        if holds(entry.key) {
            keys.push(key);
            return Some((entry.key, true));
        }
        keys.push(key);
        if let Some(found) = find(document, entry.value, offset, keys) {
            return Some(found);
        }
        keys.pop();
    }
    for item in document.items(node) {
        if let Some(found) = find(document, *item, offset, keys) {
            return Some(found);
        }
    }
    (document.scalar(node).is_some() && holds(node)).then_some((node, false))
}
