//! Builds a [`Document`] from the parser's events.

use crate::domain::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

use super::plain::read_plain;
use super::{
    Cause, Comment, Document, MappingEntry, Node, NodeId, Scalar, Style, SyntaxError, Value,
};

/// The limit of the service's parser. Real files have a small depth.
const DEPTH: usize = 128;

/// Reads the first document of `source`. The others must be YAML too.
pub fn parse(source: &str) -> Result<Document, SyntaxError> {
    read_plain(source).map_or_else(|| read(source, Rest::IsRead), Ok)
}

/// Reads the first document of `source`, whatever follows.
pub(crate) fn parse_first(source: &str) -> Result<Document, SyntaxError> {
    read_plain(source).map_or_else(|| read(source, Rest::IsIgnored), Ok)
}

/// Like [`parse`], but always with the library.
pub fn parse_with_library(source: &str) -> Result<Document, SyntaxError> {
    read(source, Rest::IsRead)
}

/// What happens to the text after the first document.
#[derive(Clone, Copy, PartialEq)]
enum Rest {
    IsRead,
    IsIgnored,
}

fn read(source: &str, rest: Rest) -> Result<Document, SyntaxError> {
    let options = granit_parser::options! {
        flow_nesting_limit: DEPTH,
        block_nesting_limit: DEPTH,
        max_buffered_comment_events: usize::MAX,
    };
    let mut builder = DocumentBuilder::new(source);
    for next in Parser::new_from_str_with_options(source, options) {
        let (event, span) = next.map_err(|error| SyntaxError::new(source, &error))?;
        let start = span.start.byte_offset().unwrap_or_default();
        let end = span.end.byte_offset().unwrap_or_default();
        let is_end = matches!(event, Event::DocumentEnd);
        builder.take(event, start..end)?;
        if is_end && rest == Rest::IsIgnored {
            break;
        }
    }
    Ok(builder.finish())
}

pub(super) struct DocumentBuilder<'s> {
    source: &'s str,
    document: Document,
    /// The collections around the current event.
    open: Vec<OpenCollection>,
    anchors: HashMap<usize, NodeId>,
    documents: usize,
}

struct OpenCollection {
    id: NodeId,
    flow: bool,
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
        Self { source, document, open: Vec::new(), anchors: HashMap::default(), documents: 0 }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), SyntaxError> {
        if let Event::DocumentStart(..) = event {
            self.documents += 1;
            if self.documents == 2 {
                self.document.second = Some(range.start);
                self.document.is_ordinary = false;
            }
        }
        if self.documents > 1 {
            return Ok(());
        }
        self.document.is_ordinary &= is_ordinary(&event);
        match event {
            Event::Comment(..) => {
                let line = self.source[..range.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
                let trailing = !self.source[line..range.start].trim().is_empty();
                self.comment(Comment { range, trailing });
            }
            Event::Scalar(text, style, anchor, tag) => {
                let absent = range.is_empty() && style == ScalarStyle::Plain;
                let mut scalar = Scalar {
                    text: if absent { String::new() } else { text.into_owned() },
                    style: style.into(),
                };
                if self.lacks_last_break(&range, scalar.style) {
                    scalar.text.truncate(scalar.text.trim_end_matches('\n').len());
                }
                let range = self.without_trailing_breaks(range, scalar.style);
                let tagged_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                self.add(Node { range, value: Value::Scalar(scalar), tagged_text }, anchor);
            }
            Event::Alias(anchor) => {
                let target = self.anchors.get(&anchor).copied();
                // Inside the anchored node, the alias has no target.
                let target = target.filter(|id| self.open.iter().all(|open| open.id != *id));
                self.add(Node { range, value: Value::Alias(target), tagged_text: false }, 0);
            }
            Event::SequenceStart(style, anchor, _) => {
                self.begin(Value::Sequence(Vec::new()), style, range, anchor)?;
            }
            Event::MappingStart(style, anchor, _) => {
                self.begin(Value::Mapping(Vec::new()), style, range, anchor)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(&range),
            _ => {}
        }
        Ok(())
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

    pub(super) fn begin_flow(
        &mut self,
        value: Value,
        range: Range<usize>,
    ) -> Result<(), SyntaxError> {
        self.begin(value, StructureStyle::Flow, range, 0)
    }

    pub(super) fn begin(
        &mut self,
        value: Value,
        style: StructureStyle,
        range: Range<usize>,
        anchor: usize,
    ) -> Result<(), SyntaxError> {
        if self.open.len() >= DEPTH {
            return Err(SyntaxError { cause: Cause::TooDeep, offset: range.start });
        }
        let id = self.add(Node { range, value, tagged_text: false }, anchor);
        self.open.push(OpenCollection {
            id,
            flow: style == StructureStyle::Flow,
            pending_key: None,
        });
        Ok(())
    }

    pub(super) fn end(&mut self, range: &Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        let last_child = match &self.document.node(open.id).value {
            Value::Sequence(items) => items.last().copied(),
            Value::Mapping(entries) => entries.last().map(|entry| entry.value),
            _ => None,
        };
        // The parser ends a block collection where the next node begins. Use its last child.
        let end = match last_child {
            _ if open.flow => range.end,
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

    /// Whether a block scalar ends with the file, and the file has no line break there: this
    /// parser adds one, the service's parser does not.
    fn lacks_last_break(&self, range: &Range<usize>, style: Style) -> bool {
        matches!(style, Style::Literal | Style::Folded)
            && range.end >= self.source.len()
            && !self.source.ends_with(['\n', '\r'])
    }

    /// The parser's range of a block scalar can include the next line's indentation.
    fn without_trailing_breaks(&self, range: Range<usize>, style: Style) -> Range<usize> {
        if !matches!(style, Style::Literal | Style::Folded) {
            return range;
        }
        let text = &self.source[range.clone()];
        range.start..range.start + text.trim_end_matches([' ', '\n', '\r']).len()
    }
}

fn is_ordinary(event: &Event<'_>) -> bool {
    match event {
        Event::Scalar(_, _, anchor, tag) => *anchor == 0 && tag.is_none(),
        Event::SequenceStart(style, anchor, tag) | Event::MappingStart(style, anchor, tag) => {
            *anchor == 0 && tag.is_none() && *style == StructureStyle::Block
        }
        Event::DocumentStart(_, version) => version.is_none(),
        Event::Alias(_) | Event::UnresolvedAlias(_) => false,
        _ => true,
    }
}

impl From<ScalarStyle> for Style {
    fn from(style: ScalarStyle) -> Self {
        match style {
            ScalarStyle::Plain => Self::Plain,
            ScalarStyle::SingleQuoted => Self::SingleQuoted,
            ScalarStyle::DoubleQuoted => Self::DoubleQuoted,
            ScalarStyle::Literal => Self::Literal,
            ScalarStyle::Folded => Self::Folded,
        }
    }
}
