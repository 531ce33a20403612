//! What the server can do, and what it needs to know of a client.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    CodeLensOptions, CompletionOptions, DiagnosticOptions, DiagnosticServerCapabilities,
    ExecuteCommandOptions, FoldingRangeProviderCapability, HoverProviderCapability,
    InitializeResult, OneOf, RenameOptions, ResourceOperationKind, SemanticTokensFullOptions,
    SemanticTokensOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    WorkDoneProgressOptions,
};

use super::encoding::Encoding;
use super::tokens;

/// The command of the lens that extends a risk. Its argument is the URI of a file.
pub(super) const EXTEND: &str = "exitpath.extendRisk";

/// What the server does differently for different clients.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "they do not depend on each other")]
pub(super) struct Client {
    pub encoding: Encoding,
    /// Whether the client asks for diagnostics, and asks again when the server tells it to. If not,
    /// the server sends them, because an edit also changes the diagnostics of other files.
    pub pulls_diagnostics: bool,
    pub refreshes_lenses: bool,
    /// Whether an edit can create and rename files.
    pub has_file_edits: bool,
    /// Whether edits name the versions of files.
    pub has_versioned_edits: bool,
}

impl Client {
    pub(super) fn of(client: &ClientCapabilities) -> Self {
        let text = client.text_document.as_ref();
        let workspace = client.workspace.as_ref();
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edits.and_then(|edits| edits.resource_operations.as_ref());
        let refreshes = workspace.and_then(|workspace| workspace.diagnostic.as_ref());
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        Self {
            encoding: Encoding::agreed(client),
            pulls_diagnostics: text.is_some_and(|text| text.diagnostic.is_some())
                && refreshes.is_some_and(|one| one.refresh_support == Some(true)),
            refreshes_lenses: lenses.is_some_and(|one| one.refresh_support == Some(true)),
            has_file_edits: [ResourceOperationKind::Create, ResourceOperationKind::Rename]
                .iter()
                .all(|operation| operations.is_some_and(|known| known.contains(operation))),
            has_versioned_edits: operations.is_some()
                || edits.is_some_and(|edits| edits.document_changes == Some(true)),
        }
    }

    /// The answer to `initialize`.
    pub(super) fn greeting(self) -> InitializeResult {
        let diagnostics = DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("exitpath".to_owned()),
            inter_file_dependencies: true,
            workspace_diagnostics: true,
            ..DiagnosticOptions::default()
        });
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            diagnostic_provider: self.pulls_diagnostics.then_some(diagnostics),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(
                    [" ", "-", ".", "{", "(", "\"", "="].map(str::to_owned).to_vec(),
                ),
                ..CompletionOptions::default()
            }),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            workspace_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR]),
                ..CodeActionOptions::default()
            })),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })),
            semantic_tokens_provider: Some(
                SemanticTokensOptions {
                    legend: tokens::legend(),
                    full: Some(SemanticTokensFullOptions::Bool(true)),
                    ..SemanticTokensOptions::default()
                }
                .into(),
            ),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: vec![EXTEND.to_owned()],
                ..ExecuteCommandOptions::default()
            }),
            ..ServerCapabilities::default()
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let info = ServerInfo { name: "exitpath".to_owned(), version: Some(version) };
        InitializeResult { capabilities, server_info: Some(info) }
    }
}
