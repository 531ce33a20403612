//! One session of an editor: takes messages, and makes those for the editor.

use std::path::PathBuf;

use lsp_types::{InitializeParams, InitializeResult, Uri};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::session::nearest_repository;
use crate::text::printable;

use super::capabilities::Client;
use super::desk::Desk;
use super::message::{Message, Received, RequestId};
use super::refusal::{Refusal, parsed};
use super::requests;
use super::uri;

/// How far the session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionStage {
    New,
    Running,
    /// After `shutdown`, until `exit`.
    Ending,
    /// After `exit`. Whether the client said `shutdown` before.
    Over(bool),
}

#[derive(Debug)]
pub struct Server {
    stage: SessionStage,
    desk: Desk,
    parent: Option<u32>,
}

impl Server {
    /// A server whose findings are those that are new since the merge base with a revision, if
    /// there is one.
    pub fn new(base: Option<String>) -> Self {
        Self { stage: SessionStage::New, desk: Desk::new(base), parent: None }
    }

    /// The messages for the client, in order.
    pub fn take_messages(&mut self) -> Vec<Value> {
        self.desk.outbox.take()
    }

    /// The exit status after the client said `exit`.
    pub fn exit_status(&self) -> Option<u8> {
        match self.stage {
            SessionStage::Over(is_orderly) => Some(u8::from(!is_orderly)),
            _ => None,
        }
    }

    /// The process that the server should not outlive.
    pub fn parent(&self) -> Option<u32> {
        self.parent
    }

    /// The paths whose changes [`files_changed`](Self::files_changed) notices.
    pub fn watched(&self) -> Vec<PathBuf> {
        self.desk.watched()
    }

    /// Takes the messages that have arrived, in order. A request that a later one of them cancels
    /// is not answered.
    pub fn take(&mut self, batch: Vec<Received>) {
        let canceled: Vec<RequestId> = batch.iter().filter_map(canceled).collect();
        for received in batch {
            match received {
                Received::Message(message) if self.exit_status().is_none() => {
                    self.take_message(message, &canceled);
                }
                Received::Message(_) => {}
                Received::Malformed(why) => {
                    let refusal = Refusal::new(Refusal::PARSE_ERROR, printable(&why));
                    self.desk.outbox.answer(None, Err(refusal));
                }
                Received::TooLarge(bytes) => {
                    self.desk
                        .outbox
                        .show(&format!("a message has {} MiB: it is ignored", bytes >> 20));
                }
            }
        }
    }

    fn take_message(&mut self, message: Message, canceled: &[RequestId]) {
        let Message { id, method, params } = message;
        let Some(method) = method else { return };
        match id {
            Some(id) if canceled.contains(&id) => {
                let refusal = Refusal::new(Refusal::CANCELED, "canceled");
                self.desk.outbox.answer(Some(&id), Err(refusal));
            }
            Some(id) => {
                let result = self.request(&method, params.as_deref());
                self.desk.outbox.answer(Some(&id), result);
            }
            None => self.notification(&method, params.as_deref()),
        }
    }

    fn request(&mut self, method: &str, params: Option<&RawValue>) -> Result<Value, Refusal> {
        match (self.stage, method) {
            (SessionStage::New, "initialize") => {
                let params: InitializeParams = parsed(params)?;
                Ok(json!(self.initialize(params)))
            }
            (SessionStage::New, _) => {
                Err(Refusal::new(Refusal::NOT_INITIALIZED, "the first request is `initialize`"))
            }
            (SessionStage::Running, "initialize") => {
                Err(Refusal::new(Refusal::INVALID_REQUEST, "the server is initialized"))
            }
            (SessionStage::Running, "shutdown") => {
                self.stage = SessionStage::Ending;
                Ok(Value::Null)
            }
            (SessionStage::Running, _) => {
                self.desk.read_edits();
                requests::answer(&mut self.desk, method, params)
            }
            (SessionStage::Ending | SessionStage::Over(_), _) => {
                Err(Refusal::new(Refusal::INVALID_REQUEST, "the server has shut down"))
            }
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> InitializeResult {
        self.stage = SessionStage::Running;
        self.desk.client = Client::of(&params.capabilities);
        self.parent = params.process_id;
        #[allow(deprecated, reason = "some clients know only this folder")]
        let root = params.root_uri;
        let folders = params.workspace_folders.into_iter().flatten().map(|folder| folder.uri);
        let folders: Vec<Uri> = folders.collect();
        let folders = if folders.is_empty() { root.into_iter().collect() } else { folders };
        for folder in folders.iter().filter_map(uri::path) {
            if let Some(root) = nearest_repository(&folder) {
                self.desk.open_repository(&root);
            }
        }
        self.desk.client.greeting()
    }

    fn notification(&mut self, method: &str, params: Option<&RawValue>) {
        if method == "exit" {
            self.stage = SessionStage::Over(self.stage == SessionStage::Ending);
            return;
        }
        if self.stage != SessionStage::Running {
            return;
        }
        // A notification that the server does not understand has no answer.
        let _ = match method {
            "textDocument/didOpen" => parsed(params).map(|params| self.desk.did_open(params)),
            "textDocument/didChange" => parsed(params).map(|params| self.desk.did_change(params)),
            "textDocument/didClose" => parsed(params).map(|params| self.desk.did_close(&params)),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.desk.files_changed();
                Ok(())
            }
            _ => Ok(()),
        };
    }

    /// Reads the files on the disk again.
    pub fn files_changed(&mut self) {
        if self.stage == SessionStage::Running {
            self.desk.files_changed();
        }
    }

    /// Whether [`settle`](Self::settle) has something to do.
    pub fn is_stale(&self) -> bool {
        self.desk.is_stale && self.stage == SessionStage::Running
    }

    /// Tells the client what changed. To be called when no message from the client is waiting.
    pub fn settle(&mut self) {
        self.desk.settle();
    }
}

/// The request that a message cancels.
fn canceled(received: &Received) -> Option<RequestId> {
    let Received::Message(message) = received else { return None };
    if message.method.as_deref() != Some("$/cancelRequest") {
        return None;
    }
    let params: Value = parsed(message.params.as_deref()).ok()?;
    serde_json::from_value(params.get("id")?.clone()).ok()
}
