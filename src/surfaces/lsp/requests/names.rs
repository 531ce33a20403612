//! Where things are, by their names.

use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionParams,
    GotoDefinitionResponse, Location, PrepareRenameResponse, ReferenceParams, RenameParams,
    SymbolInformation, SymbolKind, TextDocumentPositionParams, WorkspaceEdit,
    WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use crate::editor::{self, Symbol};
use crate::lsp::desk::{At, Desk};
use crate::lsp::edits::Editing;
use crate::lsp::encoding::Encoding;
use crate::lsp::refusal::Refusal;
use crate::text::{Failure, Source, Span};
use crate::workspace::Workspace;

/// Finds the places that belong to a place in a file.
type Finder = fn(&Workspace<'_>, &str, usize) -> Vec<Span>;

pub(super) fn definition(
    desk: &mut Desk,
    params: &GotoDefinitionParams,
) -> Option<GotoDefinitionResponse> {
    let found = places(desk, &params.text_document_position_params, editor::definition)?;
    Some(GotoDefinitionResponse::Array(found))
}

pub(super) fn references(desk: &mut Desk, params: &ReferenceParams) -> Option<Vec<Location>> {
    places(desk, &params.text_document_position, editor::references)
}

fn places(desk: &Desk, place: &TextDocumentPositionParams, find: Finder) -> Option<Vec<Location>> {
    let At { root, path, workspace, offset, .. } = desk.at(place)?;
    let encoding = desk.client.encoding;
    let location = |span: Span| {
        let source = workspace.data().sources.get(span.source);
        let uri = desk.uri_of(&root, source.path())?;
        Some(Location::new(uri, encoding.range(source, span.range())))
    };
    Some(find(workspace, &path, offset).into_iter().filter_map(location).collect())
}

pub(super) fn document_symbols(
    desk: &mut Desk,
    params: &DocumentSymbolParams,
) -> Option<DocumentSymbolResponse> {
    let (root, path) = desk.place(&params.text_document.uri)?;
    let encoding = desk.client.encoding;
    let workspace = desk.workspace(&root)?;
    let source = workspace.source(&path)?;
    let symbols = editor::of_file(workspace, &path);
    let symbols = symbols.into_iter().map(|symbol| nested(symbol, source, encoding));
    Some(DocumentSymbolResponse::Nested(symbols.collect()))
}

#[allow(deprecated, reason = "the type still has the field `deprecated`")]
fn nested(symbol: Symbol, source: &Source, encoding: Encoding) -> DocumentSymbol {
    let children = symbol.children.into_iter().map(|child| nested(child, source, encoding));
    let children: Vec<DocumentSymbol> = children.collect();
    DocumentSymbol {
        name: symbol.name,
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: encoding.range(source, symbol.span.range()),
        selection_range: encoding.range(source, symbol.name_span.range()),
        children: (!children.is_empty()).then_some(children),
    }
}

fn kind(kind: editor::SymbolKind) -> SymbolKind {
    match kind {
        editor::SymbolKind::Risk => SymbolKind::CLASS,
        editor::SymbolKind::Channel => SymbolKind::MODULE,
        editor::SymbolKind::Release => SymbolKind::CONSTANT,
        editor::SymbolKind::Key => SymbolKind::KEY,
    }
}

#[allow(deprecated, reason = "the type still has the field `deprecated`")]
pub(super) fn workspace_symbols(
    desk: &mut Desk,
    params: &WorkspaceSymbolParams,
) -> WorkspaceSymbolResponse {
    let encoding = desk.client.encoding;
    let mut symbols = Vec::new();
    for root in desk.roots() {
        let Some(workspace) = desk.workspace(&root) else { continue };
        for symbol in editor::of_repository(workspace, &params.query) {
            let source = workspace.data().sources.get(symbol.span.source);
            let Some(uri) = desk.uri_of(&root, source.path()) else { continue };
            symbols.push(SymbolInformation {
                name: symbol.name,
                kind: kind(symbol.kind),
                tags: None,
                deprecated: None,
                location: Location::new(uri, encoding.range(source, symbol.name_span.range())),
                container_name: Some(symbol.detail),
            });
        }
    }
    WorkspaceSymbolResponse::Flat(symbols)
}

pub(super) fn prepare_rename(
    desk: &mut Desk,
    place: &TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let At { path, workspace, source, offset, .. } = desk.at(place)?;
    let (span, placeholder) = editor::renamable(workspace, &path, offset)?;
    let range = desk.client.encoding.range(source, span.range());
    Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
}

pub(super) fn rename(desk: &mut Desk, params: &RenameParams) -> Result<WorkspaceEdit, Refusal> {
    let unknown = || Failure::new("this file is in no open repository");
    let at = desk.at(&params.text_document_position).ok_or_else(unknown)?;
    let At { root, path, workspace, offset, .. } = at;
    let plan = editor::rename(workspace, &path, offset, &params.new_name)?;
    Ok(Editing { desk, workspace, root: &root }.of_plan(&plan)?)
}
