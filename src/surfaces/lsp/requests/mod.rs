//! The requests, by their methods.

mod code;
mod diagnostics;
mod language;
mod names;

pub(super) use code::EXTEND;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::server::{Refusal, Server, parsed};

pub(super) fn answer(
    server: &mut Server,
    method: &str,
    params: Option<&RawValue>,
) -> Result<Value, Refusal> {
    Ok(match method {
        "textDocument/diagnostic" => {
            json!(diagnostics::of_document(server, &parsed(params)?))
        }
        "workspace/diagnostic" => json!(diagnostics::of_workspace(server, parsed(params)?)),
        "textDocument/hover" => json!(language::hover(server, &parsed(params)?)),
        "textDocument/completion" => json!(language::completion(server, &parsed(params)?)),
        "textDocument/semanticTokens/full" => json!(language::tokens(server, &parsed(params)?)),
        "textDocument/foldingRange" => json!(language::foldings(server, &parsed(params)?)),
        "textDocument/formatting" => json!(language::formatting(server, &parsed(params)?)),
        "textDocument/definition" => json!(names::definition(server, &parsed(params)?)),
        "textDocument/references" => json!(names::references(server, &parsed(params)?)),
        "textDocument/documentSymbol" => json!(names::document_symbols(server, &parsed(params)?)),
        "workspace/symbol" => json!(names::workspace_symbols(server, &parsed(params)?)),
        "textDocument/prepareRename" => json!(names::prepare_rename(server, &parsed(params)?)),
        "textDocument/rename" => json!(names::rename(server, &parsed(params)?)?),
        "textDocument/codeAction" => json!(code::actions(server, &parsed(params)?)),
        "textDocument/codeLens" => json!(code::lenses(server, &parsed(params)?)),
        "workspace/executeCommand" => code::execute(server, &parsed(params)?)?,
        _ => return Err(Refusal::unknown_method(method)),
    })
}
