//! What is at a place, and what can be written there.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, DocumentFormattingParams, Documentation, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Hover, HoverContents, HoverParams, MarkupContent, MarkupKind,
    SemanticTokens, SemanticTokensParams, TextEdit,
};

use crate::editor::{self, CompletionKind};
use crate::lsp::edits::Editing;
use crate::lsp::server::Server;
use crate::lsp::tokens;
use crate::text::Source;

pub(super) fn hover(server: &mut Server, params: &HoverParams) -> Option<Hover> {
    let place = &params.text_document_position_params;
    let (root, path) = server.place(&place.text_document.uri)?;
    // What a release can do is in the graphs.
    server.diagnostics(&root)?;
    let encoding = server.client.encoding;
    let workspace = server.workspace(&root)?;
    let source = workspace.source(&path)?;
    let offset = encoding.offset(source, place.position);
    let found = editor::hover(workspace, &path, offset)?;
    let range = encoding.range(source, found.span.range());
    let value = found.markdown;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(range) })
}

pub(super) fn completion(
    server: &mut Server,
    params: &CompletionParams,
) -> Option<CompletionResponse> {
    let place = &params.text_document_position;
    let (root, path) = server.place(&place.text_document.uri)?;
    let encoding = server.client.encoding;
    let text = &server.documents.get(place.text_document.uri.as_str())?.text;
    let source = Source::new(String::new(), text.clone());
    let offset = encoding.offset(&source, place.position);
    let data = server.workspace(&root)?.data();
    let found = editor::completions(data, &path, text, offset)?;
    let range = encoding.range(&source, found.range);
    let item = |(number, item): (usize, editor::Completion)| {
        let kind = match item.kind {
            CompletionKind::Key => CompletionItemKind::PROPERTY,
            CompletionKind::Value => CompletionItemKind::VALUE,
            CompletionKind::Risk => CompletionItemKind::CLASS,
            CompletionKind::Release => CompletionItemKind::CONSTANT,
            CompletionKind::Metric => CompletionItemKind::VARIABLE,
            CompletionKind::Label => CompletionItemKind::FIELD,
            CompletionKind::Function => CompletionItemKind::FUNCTION,
            CompletionKind::Keyword => CompletionItemKind::KEYWORD,
            CompletionKind::Word => CompletionItemKind::TEXT,
        };
        let is_key = item.kind == CompletionKind::Key;
        let about = (!item.about.is_empty()).then(|| Documentation::String(item.about));
        let new_text = if is_key { format!("{}: ", item.text) } else { item.text.clone() };
        CompletionItem {
            label: item.text.clone(),
            kind: Some(kind),
            detail: (!item.detail.is_empty()).then_some(item.detail),
            documentation: about,
            // Clients sort by this text, and keep the order of the server.
            sort_text: Some(format!("{number:04}")),
            filter_text: Some(item.text),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
            ..CompletionItem::default()
        }
    };
    let is_key_there = text.get(offset..).is_some_and(|rest| rest.starts_with(':'));
    let mut items: Vec<CompletionItem> = found.items.into_iter().enumerate().map(item).collect();
    if is_key_there {
        for item in &mut items {
            let new_text = item.label.clone();
            item.text_edit = Some(CompletionTextEdit::Edit(TextEdit { range, new_text }));
        }
    }
    // What comes first depends on what is written.
    Some(CompletionResponse::List(CompletionList { is_incomplete: true, items }))
}

pub(super) fn tokens(server: &mut Server, params: &SemanticTokensParams) -> Option<SemanticTokens> {
    let (root, path) = server.place(&params.text_document.uri)?;
    let encoding = server.client.encoding;
    let workspace = server.workspace(&root)?;
    let words = editor::words_of(workspace, &path);
    let data = tokens::tokens(workspace.source(&path)?, &words, encoding);
    Some(SemanticTokens { result_id: None, data })
}

pub(super) fn foldings(
    server: &mut Server,
    params: &FoldingRangeParams,
) -> Option<Vec<FoldingRange>> {
    let (root, path) = server.place(&params.text_document.uri)?;
    let encoding = server.client.encoding;
    let workspace = server.workspace(&root)?;
    let source = workspace.source(&path)?;
    let folding = |span: crate::text::Span| {
        let range = encoding.range(source, span.range());
        // The closing bracket stays visible.
        let end_line = range.end.line.saturating_sub(1);
        (end_line > range.start.line).then(|| FoldingRange {
            start_line: range.start.line,
            end_line,
            kind: Some(FoldingRangeKind::Region),
            ..FoldingRange::default()
        })
    };
    Some(editor::foldings(workspace, &path).into_iter().filter_map(folding).collect())
}

pub(super) fn formatting(
    server: &mut Server,
    params: &DocumentFormattingParams,
) -> Option<Vec<TextEdit>> {
    let (root, path) = server.place(&params.text_document.uri)?;
    let server = &*server;
    let workspace = server.workspace(&root)?;
    let editing = Editing { server, workspace, root: &root };
    Some(editor::layout(workspace, &path).iter().map(|edit| editing.text_edit(edit)).collect())
}
