//! A client of the language server that runs in the process of the test.

#![allow(clippy::needless_pass_by_value, reason = "parameters are made for one message")]

use std::collections::BTreeMap;
use std::path::Path;

use exitpath::testing::lsp::{Server, read};
use serde_json::{Value, json};

/// An editor with a repository.
pub(super) struct Client {
    server: Server,
    root: String,
    last: i64,
    /// The diagnostics that the server told, by URI.
    pub(super) told: BTreeMap<String, Value>,
    /// The requests of the server.
    pub(super) asked: Vec<Value>,
}

impl Client {
    /// A client that can do all that the server asks about, and counts bytes.
    pub(super) fn new(root: &Path) -> Self {
        Self::with(
            root,
            &json!({
                "general": { "positionEncodings": ["utf-8", "utf-16"] },
                "workspace": { "workspaceEdit": {
                    "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] } },
            }),
        )
    }

    pub(super) fn with(root: &Path, capabilities: &Value) -> Self {
        let root = format!("file://{}", root.to_str().unwrap());
        let (server, last) = (Server::new(None), 0);
        let mut client = Self { server, root, last, told: BTreeMap::new(), asked: Vec::new() };
        let folders = json!([{ "uri": client.root, "name": "repository" }]);
        let params = json!({
            "processId": null, "rootUri": null, "capabilities": capabilities,
            "workspaceFolders": folders,
        });
        client.ask("initialize", params);
        client.tell("initialized", json!({}));
        client
    }

    pub(super) fn uri(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    /// Sends bytes as they come from a pipe, and returns the answers.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Vec<Value> {
        let mut input = bytes;
        let mut batch = Vec::new();
        while let Some(received) = read(&mut input).unwrap() {
            batch.push(received);
        }
        self.server.take(batch);
        self.sort()
    }

    /// Keeps what the server tells and asks, and returns its answers.
    fn sort(&mut self) -> Vec<Value> {
        let mut answers = Vec::new();
        for message in self.server.take_messages() {
            match message["method"].as_str() {
                Some("textDocument/publishDiagnostics") => {
                    let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                    self.told.insert(uri, message["params"]["diagnostics"].clone());
                }
                Some(_) => self.asked.push(message),
                None => answers.push(message),
            }
        }
        answers
    }

    pub(super) fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        assert_eq!(self.send(&framed(&message)), [] as [Value; 0]);
    }

    /// The answer to a request: its result, or its error.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        let answers = self.send(&framed(&message));
        let [answer] = answers.as_slice() else { panic!("{answers:?}") };
        assert_eq!(answer["id"], self.last);
        answer.clone()
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub(super) fn open(&mut self, path: &str, text: &str) {
        let uri = self.uri(path);
        let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(super) fn change(&mut self, path: &str, text: &str) {
        self.change_range(path, json!([{ "text": text }]));
    }

    pub(super) fn change_range(&mut self, path: &str, changes: Value) {
        let document = json!({ "uri": self.uri(path), "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    pub(super) fn close(&mut self, path: &str) {
        let uri = self.uri(path);
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    pub(super) fn files_changed(&mut self) {
        self.server.files_changed();
    }

    /// The diagnostics after the last edit, by URI.
    pub(super) fn settled(&mut self) -> &BTreeMap<String, Value> {
        self.server.settle();
        assert_eq!(self.sort(), [] as [Value; 0]);
        &self.told
    }

    pub(super) fn is_over(&self) -> Option<u8> {
        self.server.exit_status()
    }

    /// A request about a place of a file. `at` is a text in it; the place is in the middle of it.
    pub(super) fn at(&mut self, method: &str, path: &str, text: &str, at: &str) -> Value {
        let uri = self.uri(path);
        let position = position(text, text.find(at).unwrap() + at.len() / 2);
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }
}

/// A position in bytes.
pub(super) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": offset - start })
}

pub(super) fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
