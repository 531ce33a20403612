//! What is at a place, and what can be written there.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, DocumentFormattingParams, Documentation, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Range,
    SemanticTokens, SemanticTokensParams, TextEdit,
};

use crate::editor::{self, CompletionKind};
use crate::lsp::desk::Desk;
use crate::lsp::documents::DocumentKind;
use crate::lsp::edits::Editing;
use crate::lsp::tokens;
use crate::text::Source;

pub(super) fn hover(desk: &mut Desk, params: &HoverParams) -> Option<Hover> {
    let place = &params.text_document_position_params;
    let document = desk.documents.get(place.text_document.uri.as_str())?;
    if document.kind == DocumentKind::Settings {
        let source = Source::new(String::new(), document.text.clone());
        let offset = desk.client.encoding.offset(&source, place.position);
        let (value, range) = editor::about_setting(&document.text, offset)?;
        return Some(popup(value, desk.client.encoding.range(&source, range)));
    }
    if document.kind == DocumentKind::Catalog {
        let document = document.clone();
        desk.check_catalog(&document);
        let source = Source::new(String::new(), document.text.clone());
        let offset = desk.client.encoding.offset(&source, place.position);
        let (value, range) = editor::about_name(desk.catalog(&document)?, &document.text, offset)?;
        return Some(popup(value, desk.client.encoding.range(&source, range)));
    }
    let (root, path) = desk.place(&place.text_document.uri)?;
    // The updates of a release are in the graphs, which the check builds.
    desk.check(&root);
    let encoding = desk.client.encoding;
    let workspace = desk.workspace(&root)?;
    let source = workspace.source(&path)?;
    let offset = encoding.offset(source, place.position);
    let found = editor::hover(workspace, &path, offset)?;
    let range = encoding.range(source, found.span.range());
    Some(popup(found.markdown, range))
}

fn popup(value: String, range: Range) -> Hover {
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Hover { contents, range: Some(range) }
}

pub(super) fn completion(desk: &mut Desk, params: &CompletionParams) -> Option<CompletionResponse> {
    let place = &params.text_document_position;
    let (root, path) = desk.place(&place.text_document.uri)?;
    let encoding = desk.client.encoding;
    let document = desk.documents.get(place.text_document.uri.as_str())?;
    let text = &document.text;
    let source = Source::new(String::new(), text.clone());
    let offset = encoding.offset(&source, place.position);
    let found = match document.kind {
        DocumentKind::Unknown => return None,
        DocumentKind::Settings => editor::complete_settings(text, offset)?,
        DocumentKind::Catalog => editor::complete_catalog(desk.catalog(document)?, text, offset)?,
        DocumentKind::Data => {
            editor::completions(desk.workspace(&root)?.data(), &path, text, offset)?
        }
    };
    let has_colon = text.get(found.range.end..).is_some_and(|rest| rest.starts_with(':'));
    let range = encoding.range(&source, found.range.clone());
    let item = |(number, item): (usize, editor::Completion)| {
        let kind = match item.kind {
            CompletionKind::Key | CompletionKind::KeyOfLines => CompletionItemKind::PROPERTY,
            CompletionKind::Value => CompletionItemKind::VALUE,
            CompletionKind::Risk => CompletionItemKind::CLASS,
            CompletionKind::Release => CompletionItemKind::CONSTANT,
            CompletionKind::Metric => CompletionItemKind::VARIABLE,
            CompletionKind::Label => CompletionItemKind::FIELD,
            CompletionKind::Function => CompletionItemKind::FUNCTION,
            CompletionKind::Keyword => CompletionItemKind::KEYWORD,
            CompletionKind::Word => CompletionItemKind::TEXT,
        };
        let end = match item.kind {
            _ if has_colon => "",
            CompletionKind::Key => ": ",
            CompletionKind::KeyOfLines => ":",
            _ => "",
        };
        let about = Some(item.about).filter(|about| !about.is_empty());
        let about = about.map(Documentation::String);
        let start = if found.needs_space { " " } else { "" };
        let new_text = format!("{start}{}{end}", item.text);
        CompletionItem {
            label: item.text.replace('\n', " "),
            kind: Some(kind),
            detail: (!item.detail.is_empty()).then_some(item.detail),
            documentation: about,
            // Clients sort by this text: the order is the one in which they are sent.
            sort_text: Some(format!("{number:04}")),
            filter_text: Some(item.text),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
            ..CompletionItem::default()
        }
    };
    let items = found.items.iter().cloned().enumerate().map(item).collect();
    // What comes first depends on the typed text, so the client has to ask again after each key.
    Some(CompletionResponse::List(CompletionList { is_incomplete: true, items }))
}

pub(super) fn tokens(desk: &mut Desk, params: &SemanticTokensParams) -> Option<SemanticTokens> {
    let (root, path) = desk.place(&params.text_document.uri)?;
    let encoding = desk.client.encoding;
    let workspace = desk.workspace(&root)?;
    let words = editor::words_of(workspace, &path);
    let data = tokens::tokens(workspace.source(&path)?, &words, encoding);
    Some(SemanticTokens { result_id: None, data })
}

pub(super) fn foldings(desk: &mut Desk, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let (root, path) = desk.place(&params.text_document.uri)?;
    let workspace = desk.workspace(&root)?;
    let source = workspace.source(&path)?;
    let folding = |span: crate::text::Span| {
        let written = source.text().get(span.range()).unwrap_or_default();
        let line = |offset: usize| u32::try_from(source.line_of(offset) - 1).unwrap_or(u32::MAX);
        let (start_line, end_line) =
            (line(span.start), line(span.start + written.trim_end().len()));
        let kind = Some(FoldingRangeKind::Region);
        (end_line > start_line).then(|| FoldingRange {
            start_line,
            end_line,
            kind,
            ..FoldingRange::default()
        })
    };
    Some(editor::foldings(workspace, &path).into_iter().filter_map(folding).collect())
}

pub(super) fn formatting(
    desk: &mut Desk,
    params: &DocumentFormattingParams,
) -> Option<Vec<TextEdit>> {
    let (root, path) = desk.place(&params.text_document.uri)?;
    let desk = &*desk;
    let workspace = desk.workspace(&root)?;
    let editing = Editing { desk, workspace, root: &root };
    Some(editor::layout(workspace, &path).iter().map(|edit| editing.text_edit(edit)).collect())
}
