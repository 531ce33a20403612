//! The parts of a file, and what a repository declares, by their names.

use crate::graph_data::{BlockedEdge, FileKind, GraphData};
use crate::text::{Span, printable};
use crate::workspace::Workspace;
use crate::yaml::{Document, NodeId};

/// A thing with a name.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub name: String,
    pub detail: String,
    pub kind: SymbolKind,
    /// The place of the whole symbol.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    pub children: Vec<Symbol>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    Risk,
    Channel,
    Release,
    Key,
}

/// The most symbols of a repository in one answer.
const MOST: usize = 500;

/// The keys of a file, and the releases that it lists.
pub(crate) fn of_file(workspace: &Workspace<'_>, path: &str) -> Vec<Symbol> {
    let data = workspace.data();
    let Some(file) = data.at_path(path) else { return Vec::new() };
    let Some(document) = file.document() else { return Vec::new() };
    let span = |node: NodeId| Span::new(file.id, document.node(node).range());
    symbols(document, document.root(), &span, 0)
}

/// Deeper parts have no symbols of their own.
const DEEPEST: usize = 6;

fn symbols(
    document: &Document,
    node: NodeId,
    span: &impl Fn(NodeId) -> Span,
    depth: usize,
) -> Vec<Symbol> {
    if depth > DEEPEST {
        return Vec::new();
    }
    let key = |entry: &crate::yaml::MappingEntry| {
        let (name_span, value) = (span(entry.key), span(entry.value));
        let name = document.text(entry.key).unwrap_or_default();
        let value_text = document.text(entry.value).unwrap_or_default();
        Symbol {
            name: shown(name),
            detail: printable(value_text.lines().next().unwrap_or_default()).into_owned(),
            kind: SymbolKind::Key,
            span: Span { end: value.end.max(name_span.end), ..name_span },
            name_span,
            children: symbols(document, entry.value, span, depth + 1),
        }
    };
    let item = |item: &NodeId| match document.text(*item) {
        Some(text) => vec![Symbol {
            name: shown(text),
            detail: String::new(),
            kind: SymbolKind::Release,
            span: span(*item),
            name_span: span(*item),
            children: Vec::new(),
        }],
        None => symbols(document, *item, span, depth + 1),
    };
    let entries = document.entries(node).iter().map(key);
    entries.chain(document.items(node).iter().flat_map(item)).collect()
}

/// The first line of a name, which must not be empty.
fn shown(name: &str) -> String {
    let line = name.lines().next().filter(|line| !line.is_empty());
    printable(line.unwrap_or("?")).into_owned()
}

/// The risks, channels, and targets of a repository whose names contain a text.
pub(crate) fn of_repository(workspace: &Workspace<'_>, wanted: &str) -> Vec<Symbol> {
    let data = workspace.data();
    let wanted = wanted.to_lowercase();
    let symbol = |name: &str, detail: &str, kind, span| {
        let (name, detail) = (printable(name).into_owned(), detail.to_owned());
        Symbol { name, detail, kind, span, name_span: span, children: Vec::new() }
    };
    let risks = data.declarations_by_risk().filter_map(|(name, files)| {
        let span = files.first()?.name.as_ref()?.span;
        Some(symbol(name, "risk", SymbolKind::Risk, span))
    });
    let channels = data.channels.iter().map(|channel| {
        let span = channel.name.as_ref().map_or(Span::new(channel.file, 0..0), |name| name.span);
        symbol(&channel.stem, "channel", SymbolKind::Channel, span)
    });
    let files = data.files.iter().filter(|file| file.kind == FileKind::BlockedEdge).map(|file| {
        let stem = stem(data.path(file.id));
        symbol(stem, "blocked-edges", SymbolKind::Release, Span::new(file.id, 0..0))
    });
    let all = risks.chain(channels).chain(files);
    all.filter(|symbol| symbol.name.to_lowercase().contains(&wanted)).take(MOST).collect()
}

fn stem(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".yaml")
}

/// The queries of a file, by their nodes.
pub(super) fn queries_of(data: &GraphData, path: &str) -> Vec<(crate::text::SourceId, NodeId)> {
    let Some(file) = data.at_path(path) else { return Vec::new() };
    let edge = super::cursor::edge_of(data, file.id);
    edge.into_iter().flat_map(BlockedEdge::queries).map(|query| (file.id, query.node)).collect()
}
