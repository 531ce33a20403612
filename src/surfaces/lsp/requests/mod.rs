//! The requests, by their methods.

mod code;
mod diagnostics;
mod language;
mod names;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::desk::Desk;
use super::refusal::{Refusal, parsed};

pub(super) fn answer(
    desk: &mut Desk,
    method: &str,
    params: Option<&RawValue>,
) -> Result<Value, Refusal> {
    Ok(match method {
        "textDocument/diagnostic" => {
            json!(diagnostics::of_document(desk, &parsed(params)?))
        }
        "workspace/diagnostic" => json!(diagnostics::of_workspace(desk, parsed(params)?)),
        "textDocument/hover" => json!(language::hover(desk, &parsed(params)?)),
        "textDocument/completion" => json!(language::completion(desk, &parsed(params)?)),
        "textDocument/semanticTokens/full" => json!(language::tokens(desk, &parsed(params)?)),
        "textDocument/foldingRange" => json!(language::foldings(desk, &parsed(params)?)),
        "textDocument/formatting" => json!(language::formatting(desk, &parsed(params)?)),
        "textDocument/definition" => json!(names::definition(desk, &parsed(params)?)),
        "textDocument/references" => json!(names::references(desk, &parsed(params)?)),
        "textDocument/documentSymbol" => json!(names::document_symbols(desk, &parsed(params)?)),
        "workspace/symbol" => json!(names::workspace_symbols(desk, &parsed(params)?)),
        "textDocument/prepareRename" => json!(names::prepare_rename(desk, &parsed(params)?)),
        "textDocument/rename" => json!(names::rename(desk, &parsed(params)?)?),
        "textDocument/codeAction" => json!(code::actions(desk, &parsed(params)?)),
        "textDocument/codeLens" => json!(code::lenses(desk, &parsed(params)?)),
        "workspace/executeCommand" => code::execute(desk, &parsed(params)?)?,
        _ => return Err(Refusal::unknown_method(method)),
    })
}
