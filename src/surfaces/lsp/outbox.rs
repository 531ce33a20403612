//! The messages for the client.

use lsp_types::{MessageType, ShowMessageParams};
use serde::Serialize;
use serde_json::{Value, json};

use crate::text::printable_lines;

use super::message::RequestId;
use super::refusal::Refusal;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    messages: Vec<Value>,
    last_request: i64,
}

impl Outbox {
    pub(super) fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }

    pub(super) fn answer(&mut self, id: Option<&RequestId>, result: Result<Value, Refusal>) {
        let message = match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Refusal { code, message }) => {
                let error = json!({ "code": code, "message": message });
                json!({ "jsonrpc": "2.0", "id": id, "error": error })
            }
        };
        self.messages.push(message);
    }

    pub(super) fn notify(&mut self, method: &str, params: impl Serialize) {
        self.messages.push(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks the client. Its answer is not waited for.
    pub(super) fn ask(&mut self, method: &str, params: impl Serialize) {
        self.last_request += 1;
        let id = self.last_request;
        self.messages
            .push(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    pub(super) fn show(&mut self, message: &str) {
        let message = printable_lines(message).into_owned();
        self.notify("window/showMessage", ShowMessageParams { typ: MessageType::ERROR, message });
    }
}
