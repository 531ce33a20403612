//! The queries of a file: the kinds of their words, their parts that can be folded, and their
//! layout.

use std::ops::Range;

use crate::promql::{self, LONGEST, WordKind, has_comment, laid_out, words};
use crate::text::{Edit, SourceId, Span};
use crate::workspace::Workspace;
use crate::yaml::{self, Style};

use super::symbols::{Symbol, of_file, queries_of};

/// The width of a query that is laid out, with its indentation.
const WIDTH: usize = 100;

/// The words of all queries of a file, in order. No word goes over more than one line.
pub(crate) fn words_of(workspace: &Workspace<'_>, path: &str) -> Vec<(WordKind, Span)> {
    let data = workspace.data();
    let mut found = Vec::new();
    for (file, node) in queries_of(data, path) {
        let Some(document) = data.file(file).document() else { continue };
        let text = document.text(node).filter(|text| text.len() <= LONGEST);
        let source = data.sources.get(file).text();
        let segments = yaml::segments(source, document, node);
        let text = text.unwrap_or_default();
        for word in words(text) {
            // A text between `\`` can have several lines.
            for line in lines_within(text, word.range) {
                let start = segments.source_offset(line.start);
                let last = text[line.clone()].chars().next_back().unwrap_or_default();
                let end = segments.source_offset(line.end - last.len_utf8());
                let end = end + written_len(last, source.get(end..).unwrap_or_default());
                found.push((word.kind, Span::new(file, start..end.max(start))));
            }
        }
    }
    found.sort_by_key(|(_, span)| span.start);
    // In a folded or quoted scalar, two words could be at one place.
    found.dedup_by(|next, previous| next.1.start < previous.1.end);
    found
}

/// How many bytes a character of a scalar has in the file, where `written` begins with it. YAML
/// writes a quote inside quotes with two characters.
fn written_len(c: char, written: &str) -> usize {
    let is_escaped =
        (c == '"' && written.starts_with("\\\"")) || (c == '\'' && written.starts_with("''"));
    if is_escaped { 2 } else { c.len_utf8() }
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

/// The edits that lay out the queries of a file. Queries with comments, and those that are not a
/// text of several lines, stay as they are. So do queries that other files share, because a risk
/// must have the same text in all of its files.
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
        let is_own = |(other, _): &(SourceId, _)| *other == file;
        let reading = data.queries.reading(text);
        if !reading.is_some_and(|reading| reading.places.iter().all(is_own)) {
            continue;
        }
        let Ok(query) = promql::parse(text) else { continue };
        let source = data.sources.get(file).text();
        let range = document.node(node).range();
        let line_start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &source[line_start..range.start];
        if !indent.bytes().all(|byte| byte == b' ') || has_comment(text) {
            continue;
        }
        let lines = laid_out(text, &query, WIDTH.saturating_sub(indent.len()).max(40));
        let end_of_line = if source.contains("\r\n") { "\r\n" } else { "\n" };
        let new = lines.replace('\n', &format!("{end_of_line}{indent}"));
        let end = range.start + source[range.clone()].trim_end().len();
        if source[range.start..end] != new {
            edits.push(Edit { span: Span::new(file, range.start..end), text: new });
        }
    }
    edits
}
