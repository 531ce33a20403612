//! Where a comment allows a finding.

use crate::graph_data::{FileKind, GraphData};
use crate::rules::{Finding, Place};
use crate::text::{Edit, SourceId, Span};
use crate::yaml::{Document, NodeId};

/// The edit that adds a comment which allows a finding. The author has to write the reason. None if
/// no comment can allow it.
pub(super) fn allowing(data: &GraphData, finding: &Finding) -> Option<Edit> {
    if !finding.rule.is_allowed_by_comments() {
        return None;
    }
    let (file, offset) = match &finding.place {
        Place::Text(span) => (span.source, Some(span.start)),
        Place::File(file) => (*file, None),
        Place::Absent(_) => return None,
    };
    let kind = data.file(file).kind;
    // JSON has no comments.
    if !kind.is_data() || kind == FileKind::RawMetadata {
        return None;
    }
    let document = data.file(file).document()?;
    let text = data.sources.get(file).text();
    let line = offset.and_then(|offset| line_of_holder(document, text, offset)).unwrap_or(0);
    let indent: String = text[line..].chars().take_while(|c| *c == ' ').collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let comment = format!("{indent}# exitpath: allow({}): REASON{end}", finding.rule.name);
    Some(insertion(file, line, comment))
}

fn insertion(file: SourceId, at: usize, text: String) -> Edit {
    Edit { span: Span::new(file, at..at), text }
}

/// The start of the line of the innermost key or item that holds a place and begins its line. A
/// comment before this line is not inside a text, and applies to the whole key or item.
fn line_of_holder(document: &Document, text: &str, offset: usize) -> Option<usize> {
    let mut best = None;
    let mut node = document.root();
    loop {
        // A comment inside `{…}` or `[…]` would apply to nothing.
        if is_flow(document, text, node) {
            return best;
        }
        let Some((holder, next)) = child_at(document, node, offset) else { return best };
        let start = document.node(holder).range().start;
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        if text[line..start].chars().all(|c| c == ' ' || c == '-') {
            best = Some(line);
        }
        node = next;
    }
}

/// The key or the item of a collection that holds a place or is the last one before it, and the
/// node in which to continue.
fn child_at(document: &Document, node: NodeId, offset: usize) -> Option<(NodeId, NodeId)> {
    let begins_before = |node: NodeId| document.node(node).range().start <= offset;
    let entries = document.entries(node).iter();
    let entry = entries.rev().find(|entry| begins_before(entry.key));
    if let Some(entry) = entry {
        return Some((entry.key, entry.value));
    }
    let item = document.items(node).iter().rev().find(|item| begins_before(**item))?;
    Some((*item, *item))
}

/// Whether a collection is written as `{…}` or `[…]`.
pub(super) fn is_flow(document: &Document, text: &str, node: NodeId) -> bool {
    let is_collection = !document.entries(node).is_empty() || !document.items(node).is_empty();
    let written = text.get(document.node(node).range()).unwrap_or_default();
    is_collection && written.starts_with(['{', '['])
}
