//! Finds the places of parts of scalars in their files.

use std::ops::Range;

use crate::text::{SourceId, Span};
use crate::yaml::{self, NodeId, Style, Value};

use super::{FileKind, GraphData};

/// How a scalar is written.
struct WrittenScalar<'d> {
    start: usize,
    raw: &'d str,
    value: &'d str,
    style: Style,
}

impl GraphData {
    /// The place of a part of a scalar. `part` is a byte range of its text.
    pub fn span_within(&self, file: SourceId, node: NodeId, part: Range<usize>) -> Span {
        if self.file(file).kind == FileKind::Query {
            return Span::new(file, part);
        }
        let whole = self.file(file).span(node);
        let Some(document) = self.file(file).document() else { return whole };
        let segments = yaml::segments(self.sources.get(file).text(), document, node);
        let start = segments.source_offset(part.start);
        let text = document.text(node).and_then(|text| text.get(part.clone()));
        let last = text.and_then(|text| text.char_indices().next_back());
        let end =
            last.map_or(start, |(at, c)| segments.source_offset(part.start + at) + c.len_utf8());
        Span::new(file, start..end.clamp(start, whole.end.max(start)))
    }

    /// The places of the same part of several scalars.
    pub(crate) fn spans_within(
        &self,
        scalars: &[(SourceId, NodeId)],
        part: &Range<usize>,
    ) -> Vec<Span> {
        // Copies are usually written alike, so a part is at the same place in each of them.
        let mut last: Option<(WrittenScalar<'_>, Range<usize>)> = None;
        let span = |(file, node): &(SourceId, NodeId)| {
            let written = self.written(*file, *node);
            if let (Some(written), Some((known, at))) = (&written, &last)
                && written.is_like(known)
            {
                return Span::new(*file, written.start + at.start..written.start + at.end);
            }
            let span = self.span_within(*file, *node, part.clone());
            last = written.and_then(|written| {
                let from_start = |place: usize| place.checked_sub(written.start);
                let at = from_start(span.start)?..from_start(span.end)?;
                Some((written, at))
            });
            span
        };
        scalars.iter().map(span).collect()
    }

    /// How a scalar is written. None if the node is not a scalar.
    fn written(&self, file: SourceId, node: NodeId) -> Option<WrittenScalar<'_>> {
        let document = self.file(file).document()?;
        let node = document.node(node);
        let Value::Scalar(scalar) = node.value else { return None };
        let raw = self.sources.get(file).text().get(node.range())?;
        let (value, style) = (document.text_of(scalar), scalar.style);
        Some(WrittenScalar { start: node.range().start, raw, value, style })
    }
}

impl WrittenScalar<'_> {
    fn is_like(&self, other: &Self) -> bool {
        self.raw == other.raw && self.value == other.value && self.style == other.style
    }
}

#[cfg(test)]
mod tests {
    use crate::graph_data::GraphData;
    use crate::tree::Blob;

    const FILE: &str = "\
to: 4.14.1
from: .*
url: https://example.com
name: ExampleRisk
message: Example.
matchingRules:
- type: PromQL
  promql:
    promql: ";

    /// The copies of the query have other indentation, or quotes.
    #[test]
    fn parts_are_where_each_scalar_alone_has_them() {
        let literal = "|\n      group(\n        a_metric)\n";
        let queries = [
            literal,
            literal,
            "|\n        group(\n          a_metric)\n",
            "\"group(\\n  a_metric)\\n\"\n",
            literal,
        ];
        let blob = |(at, query): (usize, &&str)| Blob {
            path: format!("blocked-edges/{at}.yaml"),
            content: Ok(format!("{FILE}{query}").into_bytes()),
            file: None,
            is_omitted: false,
        };
        let data = GraphData::from_blobs(queries.iter().enumerate().map(blob).collect());
        let reading = data.queries.all().next().unwrap_or_else(|| unreachable!());
        assert_eq!(reading.places.len(), queries.len());
        for (start, end) in [(0, 5), (9, 17), (0, 18)] {
            let together = data.spans_within(&reading.places, &(start..end));
            let alone = |(file, node)| data.span_within(file, node, start..end);
            let alone: Vec<_> = reading.places.iter().copied().map(alone).collect();
            assert_eq!(together, alone);
            let second = &data.sources.get(together[1].source).text()[together[1].start..];
            assert!(second.starts_with(if start == 9 { "a_metric" } else { "group(" }));
        }
    }
}
