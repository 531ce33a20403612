//! Reads any YAML with the library: makes a [`Document`] of its events.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

use super::builder::{Collection, DEPTH, DocumentBuilder};
use super::{Comment, Document, Node, Style, SyntaxError, Value};

/// What happens to the text after the first document.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rest {
    IsRead,
    IsIgnored,
}

/// Reads the first document of `source`.
pub(super) fn read(source: &str, rest: Rest) -> Result<Document, SyntaxError> {
    let options = granit_parser::options! {
        flow_nesting_limit: DEPTH,
        block_nesting_limit: DEPTH,
        max_buffered_comment_events: usize::MAX,
    };
    let mut reader = Reader { source, builder: DocumentBuilder::new(source), documents: 0 };
    for next in Parser::new_from_str_with_options(source, options) {
        let (event, span) = next.map_err(|error| SyntaxError::new(source, &error))?;
        let start = span.start.byte_offset().unwrap_or_default();
        let end = span.end.byte_offset().unwrap_or_default();
        let is_end = matches!(event, Event::DocumentEnd);
        reader.take(event, start..end)?;
        reader.builder.expect_few(start)?;
        if is_end && rest == Rest::IsIgnored {
            break;
        }
    }
    Ok(reader.builder.finish())
}

struct Reader<'s> {
    source: &'s str,
    builder: DocumentBuilder<'s>,
    /// How many documents have begun.
    documents: usize,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), SyntaxError> {
        if let Event::DocumentStart(..) = event {
            self.documents += 1;
            if self.documents == 2 {
                self.builder.document.second = Some(range.start);
                self.builder.document.is_ordinary = false;
            }
        }
        if self.documents > 1 {
            return Ok(());
        }
        self.builder.document.is_ordinary &= is_ordinary(&event);
        match event {
            Event::Comment(..) => {
                let line = self.source[..range.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
                let trailing = !self.source[line..range.start].trim().is_empty();
                self.builder.comment(Comment { range, trailing });
            }
            Event::Scalar(text, style, anchor, tag) => {
                let absent = range.is_empty() && style == ScalarStyle::Plain;
                let style = Style::from(style);
                let mut text = if absent { "" } else { text.as_ref() };
                if self.lacks_last_break(&range, style) {
                    text = text.trim_end_matches('\n');
                }
                let scalar = self.builder.text(text, style);
                let range = self.without_trailing_breaks(range, style);
                let tagged_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                let node = Node::new(range, Value::Scalar(scalar));
                self.builder.add(Node { tagged_text, ..node }, anchor);
            }
            Event::Alias(anchor) => {
                let value = Value::Alias(self.builder.anchored(anchor));
                self.builder.add(Node::new(range, value), 0);
            }
            Event::SequenceStart(style, anchor, _) => {
                let is_flow = style == StructureStyle::Flow;
                self.builder.begin(Collection::List, is_flow, range, anchor)?;
            }
            Event::MappingStart(style, anchor, _) => {
                let is_flow = style == StructureStyle::Flow;
                self.builder.begin(Collection::Mapping, is_flow, range, anchor)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.builder.end(&range),
            _ => {}
        }
        Ok(())
    }

    /// Whether a block scalar ends with the file, and the file has no line break at its end. The
    /// library adds one. The service's parser does not.
    fn lacks_last_break(&self, range: &Range<usize>, style: Style) -> bool {
        matches!(style, Style::Literal | Style::Folded)
            && range.end >= self.source.len()
            && !self.source.ends_with(['\n', '\r'])
    }

    /// The library's range of a block scalar can include the next line's indentation.
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
