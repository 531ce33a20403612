//! The input of rules about files.

use crate::graph_data::{DataFile, GraphData};
use crate::text::Span;
use crate::yaml::{Document, NodeId, Style, Value};

use super::{Finding, shortened};

/// A file, and the repository that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The repository.
    pub data: &'a GraphData,
    /// The file.
    pub file: &'a DataFile,
}

impl<'a> Subject<'a> {
    /// The file's path, relative to the repository.
    pub fn path(&self) -> &'a str {
        self.data.path(self.file.id)
    }

    /// The file's text.
    pub fn text(&self) -> &'a str {
        self.data.sources.get(self.file.id).text()
    }

    /// The YAML or JSON document, if the file has a readable one.
    pub fn document(&self) -> Option<&'a Document> {
        self.file.document()
    }

    /// The place of a node.
    pub fn span(&self, node: NodeId) -> Span {
        self.file.span(node)
    }

    /// The place of a value, or of its key if the value is absent.
    pub fn visible_span(&self, node: NodeId, pointer: &str) -> Span {
        let span = self.span(node);
        if span.start < span.end {
            return span;
        }
        let parent = pointer.rsplit_once('/').and_then(|(parent, key)| {
            let document = self.document()?;
            document.entry(document.at_pointer(parent), key)
        });
        parent.map_or(span, |entry| self.span(entry.key))
    }

    /// Adds a fix that replaces the scalar `node` with `word` and keeps its quotes.
    pub fn renaming(&self, finding: Finding, node: NodeId, word: &str) -> Finding {
        let span = self.span(node);
        let quote = match self.document().map(|document| &document.node(node).value) {
            Some(Value::Scalar(scalar)) => match scalar.style {
                Style::Plain => "",
                Style::SingleQuoted => "'",
                Style::DoubleQuoted => "\"",
                // A block scalar cannot keep its notation by keeping quotes.
                Style::Literal | Style::Folded => return finding,
            },
            _ => return finding,
        };
        // The fix would also change the aliases of an anchor.
        let mut words = self.text()[..span.start].split_whitespace().rev();
        let is_anchored =
            words.find(|word| !word.starts_with('!')).is_some_and(|word| word.contains('&'));
        if is_anchored {
            return finding;
        }
        finding.fix(format!("write `{word}`"), span, format!("{quote}{word}{quote}"))
    }

    /// The start of the value as written, for a message.
    pub fn quoted(&self, node: NodeId) -> String {
        let text = self.document().and_then(|document| document.text(node)).unwrap_or_default();
        shortened(text)
    }
}
