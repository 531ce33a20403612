//! What can be done: code actions, code lenses, and the commands behind them.

use lsp_types::{
    ApplyWorkspaceEditParams, CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams,
    CodeLens, CodeLensParams, Command, ExecuteCommandParams, Uri,
};
use serde_json::{Value, json};

use crate::editor::{self, ActionKind, Does, LensAction};
use crate::lsp::capabilities::EXTEND;
use crate::lsp::desk::Desk;
use crate::lsp::diagnostics::Shown;
use crate::lsp::edits::Editing;
use crate::lsp::refusal::Refusal;
use crate::text::{Failure, Span};

pub(super) fn actions(
    desk: &mut Desk,
    params: &CodeActionParams,
) -> Option<Vec<CodeActionOrCommand>> {
    let (root, path) = desk.place(&params.text_document.uri)?;
    // Fixes belong to findings.
    desk.check(&root);
    let desk = &*desk;
    let encoding = desk.client.encoding;
    let workspace = desk.workspace(&root)?;
    let source = workspace.source(&path)?;
    let file = workspace.data().at_path(&path)?.id;
    let (start, end) =
        (encoding.offset(source, params.range.start), encoding.offset(source, params.range.end));
    let editing = Editing { desk, workspace, root: &root };
    let uri = |path: &str| desk.uri_of(&root, path);
    let shown = Shown { sources: &workspace.data().sources, encoding, uri: &uri };
    let is_wanted = |kind: &CodeActionKind| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|wanted| is_of_kind(kind.as_str(), wanted.as_str())))
    };
    let action = |action: editor::Action<'_>| {
        let kind = match action.kind {
            ActionKind::Fix | ActionKind::Allow => CodeActionKind::QUICKFIX,
            ActionKind::Continue => CodeActionKind::REFACTOR,
            ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        };
        if !is_wanted(&kind) {
            return None;
        }
        let edit = match &action.does {
            // Editors do not see a byte order mark, so they cannot delete it.
            Does::Edits(edits) if edits.iter().all(|edit| editing.does_nothing(edit)) => {
                return None;
            }
            Does::Edits(edits) => editing.of_edits(edits),
            Does::Plan(plan) => editing.of_plan(plan).ok()?,
        };
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            kind: Some(kind),
            diagnostics: action.finding.map(|finding| vec![shown.diagnostic(finding)]),
            edit: Some(edit),
            is_preferred: (action.kind == ActionKind::Fix).then_some(true),
            ..CodeAction::default()
        }))
    };
    let found = editor::actions(workspace, &path, Span::new(file, start.min(end)..end.max(start)));
    Some(found.into_iter().filter_map(action).collect())
}

pub(super) fn lenses(desk: &mut Desk, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
    let (root, path) = desk.place(&params.text_document.uri)?;
    let encoding = desk.client.encoding;
    let found = editor::lenses(desk.workspace_mut(&root)?, &path);
    let source = desk.workspace(&root)?.source(&path)?;
    let lens = |lens: editor::Lens| {
        let (command, arguments) = match lens.does {
            LensAction::Nothing => (String::new(), None),
            LensAction::Extend => (EXTEND.to_owned(), Some(vec![json!(params.text_document.uri)])),
        };
        let command = Command { title: lens.title, command, arguments };
        let range = encoding.range(source, lens.span.range());
        CodeLens { range, command: Some(command), data: None }
    };
    Some(found.into_iter().map(lens).collect())
}

pub(super) fn execute(desk: &mut Desk, params: &ExecuteCommandParams) -> Result<Value, Refusal> {
    if params.command != EXTEND {
        return Err(Failure::new(format!("there is no command `{}`", params.command)).into());
    }
    let unknown = || Failure::new("the argument names no file of an open repository");
    let argument = params.arguments.first().cloned().unwrap_or_default();
    let uri: Uri = serde_json::from_value(argument).map_err(|_| unknown())?;
    let (root, path) = desk.place(&uri).ok_or_else(unknown)?;
    let edit = {
        let desk = &*desk;
        let workspace = desk.workspace(&root).ok_or_else(unknown)?;
        let plan = editor::extension(workspace, &path)?;
        Editing { desk, workspace, root: &root }.of_plan(&plan)?
    };
    let label = Some("extend a risk".to_owned());
    desk.outbox.ask("workspace/applyEdit", ApplyWorkspaceEditParams { label, edit });
    Ok(Value::Null)
}

/// Whether a kind is the wanted one, or a kind of it: `refactor.rewrite` is a `refactor`.
fn is_of_kind(kind: &str, wanted: &str) -> bool {
    let rest = kind.strip_prefix(wanted);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.is_empty())
}
