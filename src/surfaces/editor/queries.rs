//! The queries of a file: the kinds of their words, their parts that can be folded, and their
//! layout.

use std::ops::Range;

use crate::promql::{self, WordKind, has_comment, laid_out, words};
use crate::text::{Edit, Span};
use crate::workspace::Workspace;
use crate::yaml::Style;

use super::symbols::{Symbol, of_file, queries_of};

/// The width of a query that is laid out, with its indentation.
const WIDTH: usize = 100;

/// The words of all queries of a file, in order. No word goes over more than one line.
pub(crate) fn words_of(workspace: &Workspace<'_>, path: &str) -> Vec<(WordKind, Span)> {
    let data = workspace.data();
    let mut found = Vec::new();
    for (file, node) in queries_of(data, path) {
        let document = data.file(file).document();
        let Some(text) = document.and_then(|document| document.text(node)) else { continue };
        for word in words(text) {
            // A text between `\`` can have several lines.
            for line in lines_within(text, word.range) {
                found.push((word.kind, data.span_within(file, node, line)));
            }
        }
    }
    found.sort_by_key(|(_, span)| span.start);
    // In a folded or quoted scalar, two words could be at one place.
    found.dedup_by(|next, previous| next.1.start < previous.1.end);
    found
}

fn lines_within(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let mut lines = Vec::new();
    for line in text[range].split_inclusive('\n') {
        let end = start + line.trim_end_matches('\n').len();
        if end > start {
            lines.push(start..end);
        }
        start += line.len();
    }
    lines
}

/// The parts of a file of several lines: the values of keys, and the brackets of queries.
pub(crate) fn foldings(workspace: &Workspace<'_>, path: &str) -> Vec<Span> {
    let mut foldings = Vec::new();
    spread(&of_file(workspace, path), &mut foldings);
    let mut open = Vec::new();
    for (kind, span) in words_of(workspace, path) {
        match kind {
            WordKind::Open => open.push(span),
            WordKind::Close => {
                let start = open.pop();
                foldings.extend(start.map(|start: Span| Span { end: span.start, ..start }));
            }
            _ => {}
        }
    }
    foldings
}

fn spread(symbols: &[Symbol], into: &mut Vec<Span>) {
    for symbol in symbols {
        into.push(symbol.span);
        spread(&symbol.children, into);
    }
}

/// The edits that lay out the queries of a file. Queries with comments, and those that are no text of
/// several lines, stay as they are.
pub(crate) fn layout(workspace: &Workspace<'_>, path: &str) -> Vec<Edit> {
    let data = workspace.data();
    let mut edits = Vec::new();
    for (file, node) in queries_of(data, path) {
        let Some(document) = data.file(file).document() else { continue };
        let Some(scalar) = document.scalar(node).filter(|scalar| scalar.style == Style::Literal)
        else {
            continue;
        };
        let text = document.text_of(scalar);
        let Ok(query) = promql::parse(text) else { continue };
        let source = data.sources.get(file).text();
        let range = document.node(node).range();
        let line_start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &source[line_start..range.start];
        if !indent.bytes().all(|byte| byte == b' ') || has_comment(text) {
            continue;
        }
        let lines = laid_out(text, &query, WIDTH.saturating_sub(indent.len()).max(40));
        let new = lines.replace('\n', &format!("\n{indent}"));
        let end = range.start + source[range.clone()].trim_end().len();
        if source[range.start..end] != new {
            edits.push(Edit { span: Span::new(file, range.start..end), text: new });
        }
    }
    edits
}
