//! One session of an editor: takes messages, and makes those for the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, TextDocumentItem,
    Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::graph_data::WANTED;
use crate::session::nearest_repository;
use crate::text::{Failure, printable};
use crate::tree::is_listed;
use crate::workspace::{Question, Workspace};

use super::capabilities::Client;
use super::diagnostics::{Diagnostics, Shown, settings_diagnostics};
use super::documents::{Document, DocumentKind, Documents};
use super::message::{Message, Received, RequestId};
use super::requests;
use super::uri;

/// The file with the settings of a repository.
const SETTINGS: &str = "exitpath.toml";

/// What the protocol calls errors, with its numbers.
#[derive(Debug)]
pub(super) struct Refusal {
    code: i64,
    message: String,
}

impl Refusal {
    const PARSE_ERROR: i64 = -32700;
    const INVALID_REQUEST: i64 = -32600;
    const METHOD_NOT_FOUND: i64 = -32601;
    const INVALID_PARAMS: i64 = -32602;
    const NOT_INITIALIZED: i64 = -32002;
    const CANCELED: i64 = -32800;
    const FAILED: i64 = -32803;

    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        let method = printable(method);
        Self::new(Self::METHOD_NOT_FOUND, format!("there is no method `{method}`"))
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let (what, hint) = failure.words();
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        Self::new(Self::FAILED, format!("{what}{hint}"))
    }
}

/// How far the session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    /// After `shutdown`, until `exit`.
    Ending,
    /// After `exit`. Whether the client said `shutdown` before.
    Over(bool),
}

/// A repository with open files.
#[derive(Debug)]
pub(super) struct Opened {
    pub workspace: Workspace,
    /// None if nobody has asked since the last edit.
    diagnostics: Option<Diagnostics>,
    /// The files for which the client was told diagnostics.
    told: BTreeSet<String>,
    /// Why the last state on the disk was not read.
    problem: Option<String>,
}

#[derive(Debug)]
pub struct Server {
    base: Option<String>,
    stage: Stage,
    pub(super) client: Client,
    pub(super) documents: Documents,
    opened: BTreeMap<PathBuf, Opened>,
    /// The folders that could not be opened, with the reason that the client was told.
    failed: BTreeMap<PathBuf, String>,
    /// Whether diagnostics may be out of date.
    is_stale: bool,
    outbox: Vec<Value>,
    last_request: i64,
    parent: Option<u32>,
}

impl Server {
    /// A server whose findings are those that are new since the merge base with a revision, if there
    /// is one.
    pub fn new(base: Option<String>) -> Self {
        Self {
            base,
            stage: Stage::New,
            client: Client::default(),
            documents: Documents::new(),
            opened: BTreeMap::new(),
            failed: BTreeMap::new(),
            is_stale: false,
            outbox: Vec::new(),
            last_request: 0,
            parent: None,
        }
    }

    /// The messages for the client, in order.
    pub fn take_messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.outbox)
    }

    /// The exit status after the client said `exit`.
    pub fn exit_status(&self) -> Option<u8> {
        match self.stage {
            Stage::Over(is_orderly) => Some(u8::from(!is_orderly)),
            _ => None,
        }
    }

    /// The process that the server should not outlive.
    pub fn parent(&self) -> Option<u32> {
        self.parent
    }

    /// The repositories whose files matter.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.opened.keys().map(PathBuf::as_path)
    }

    /// Takes the messages that have arrived, in order. A request that a later one of them cancels is
    /// not answered.
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
                    self.answer(None, Err(refusal));
                }
                Received::TooLarge(bytes) => {
                    self.show(&format!("a message has {} MiB: it is ignored", bytes >> 20));
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
                self.answer(Some(id), Err(refusal));
            }
            Some(id) => {
                let result = self.request(&method, params.as_deref());
                self.answer(Some(id), result);
            }
            None => self.notification(&method, params.as_deref()),
        }
    }

    fn answer(&mut self, id: Option<RequestId>, result: Result<Value, Refusal>) {
        let message = match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Refusal { code, message }) => {
                let error = json!({ "code": code, "message": message });
                json!({ "jsonrpc": "2.0", "id": id, "error": error })
            }
        };
        self.outbox.push(message);
    }

    pub(super) fn notify(&mut self, method: &str, params: impl Serialize) {
        self.outbox.push(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks the client. Its answer is not waited for.
    pub(super) fn ask(&mut self, method: &str, params: impl Serialize) {
        self.last_request += 1;
        let id = self.last_request;
        self.outbox.push(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn show(&mut self, message: &str) {
        let message = printable(message).into_owned();
        self.notify("window/showMessage", ShowMessageParams { typ: MessageType::ERROR, message });
    }

    fn request(&mut self, method: &str, params: Option<&RawValue>) -> Result<Value, Refusal> {
        match (self.stage, method) {
            (Stage::New, "initialize") => {
                let params: InitializeParams = parsed(params)?;
                Ok(json!(self.initialize(params)))
            }
            (Stage::New, _) => {
                Err(Refusal::new(Refusal::NOT_INITIALIZED, "the first request is `initialize`"))
            }
            (Stage::Running, "initialize") => {
                Err(Refusal::new(Refusal::INVALID_REQUEST, "the server is initialized"))
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::Ending;
                Ok(Value::Null)
            }
            (Stage::Running, _) => requests::answer(self, method, params),
            (Stage::Ending | Stage::Over(_), _) => {
                Err(Refusal::new(Refusal::INVALID_REQUEST, "the server has shut down"))
            }
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> lsp_types::InitializeResult {
        self.stage = Stage::Running;
        self.client = Client::of(&params.capabilities);
        self.parent = params.process_id;
        #[allow(deprecated, reason = "some clients know only this folder")]
        let root = params.root_uri;
        let folders = params.workspace_folders.into_iter().flatten().map(|folder| folder.uri);
        let folders: Vec<Uri> = folders.collect();
        let folders = if folders.is_empty() { root.into_iter().collect() } else { folders };
        for folder in folders.iter().filter_map(uri::path) {
            if let Some(root) = nearest_repository(&folder) {
                self.open_repository(&root);
            }
        }
        self.client.greeting()
    }

    fn notification(&mut self, method: &str, params: Option<&RawValue>) {
        if method == "exit" {
            self.stage = Stage::Over(self.stage == Stage::Ending);
            return;
        }
        if self.stage != Stage::Running {
            return;
        }
        // A notification that nobody understands has no answer.
        let _ = match method {
            "textDocument/didOpen" => parsed(params).map(|params| self.did_open(params)),
            "textDocument/didChange" => parsed(params).map(|params| self.did_change(params)),
            "textDocument/didClose" => parsed(params).map(|params| self.did_close(&params)),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.files_changed();
                Ok(())
            }
            _ => Ok(()),
        };
    }

    fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let Some(path) = uri::path(&params.text_document.uri) else { return };
        let Some(root) = nearest_repository(&path) else { return };
        let Some(relative) = path.strip_prefix(&root).ok().and_then(Path::to_str) else { return };
        let kind = match relative {
            SETTINGS => DocumentKind::Settings,
            _ if is_listed(relative, WANTED) => DocumentKind::Data,
            _ => return,
        };
        let path = relative.to_owned();
        self.open_repository(&root);
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        let document = Document { root, path, kind, version, text };
        self.documents.insert(uri.as_str().to_owned(), document);
        self.take_text(uri.as_str());
    }

    fn did_change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else { return };
        let version = params.text_document.version;
        document.change(version, params.content_changes, self.client.encoding);
        self.take_text(uri);
    }

    fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.remove(uri) else { return };
        if document.kind == DocumentKind::Settings {
            let (uri, diagnostics) = (params.text_document.uri.clone(), Vec::new());
            let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
            return self.notify("textDocument/publishDiagnostics", params);
        }
        if let Some(opened) = self.opened.get_mut(&document.root) {
            opened.workspace.edit(&document.path, None);
            opened.diagnostics = None;
            self.is_stale = true;
        }
    }

    /// Gives the text of an open file to its repository.
    fn take_text(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        self.is_stale = true;
        if document.kind == DocumentKind::Settings {
            return;
        }
        if let Some(opened) = self.opened.get_mut(&document.root) {
            opened.workspace.edit(&document.path, Some(&document.text));
            opened.diagnostics = None;
        }
    }

    fn open_repository(&mut self, root: &Path) {
        if self.opened.contains_key(root) {
            return;
        }
        let question = Question { root: root.to_owned(), base: self.base.clone() };
        match Workspace::open(question) {
            Ok((workspace, _)) => {
                self.failed.remove(root);
                let told = BTreeSet::new();
                let opened = Opened { workspace, diagnostics: None, told, problem: None };
                self.opened.insert(root.to_owned(), opened);
                self.is_stale = true;
                let uris = self.documents.iter().filter(|(_, document)| document.root == root);
                let uris: Vec<String> = uris.map(|(uri, _)| uri.clone()).collect();
                uris.iter().for_each(|uri| self.take_text(uri));
            }
            Err(failure) => {
                let words = Refusal::from(failure).message;
                if self.failed.insert(root.to_owned(), words.clone()).as_ref() != Some(&words) {
                    self.show(&words);
                }
            }
        }
    }

    /// Reads the files on the disk again.
    pub fn files_changed(&mut self) {
        if self.stage != Stage::Running {
            return;
        }
        let mut problems = Vec::new();
        for opened in self.opened.values_mut() {
            let problem = opened.workspace.reload().err();
            let problem = problem.map(|failure| Refusal::from(failure).message);
            if problem.is_some() && problem != opened.problem {
                problems.extend(problem.clone());
            }
            opened.problem = problem;
            opened.diagnostics = None;
        }
        problems.iter().for_each(|problem| self.show(problem));
        let failed: Vec<PathBuf> = self.failed.keys().cloned().collect();
        failed.iter().for_each(|root| self.open_repository(root));
        self.is_stale = true;
    }

    /// Whether [`settle`](Self::settle) has something to do.
    pub fn is_stale(&self) -> bool {
        self.is_stale && self.stage == Stage::Running
    }

    /// Tells the client what changed. To be called when it has nothing more to say.
    pub fn settle(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        if !self.client.pulls_diagnostics {
            let roots: Vec<PathBuf> = self.opened.keys().cloned().collect();
            roots.iter().for_each(|root| self.publish(root));
            self.publish_settings();
        } else {
            self.ask("workspace/diagnostic/refresh", Value::Null);
        }
        if self.client.refreshes_lenses {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
    }

    /// Tells the client the diagnostics of all files that have some now or had some before.
    fn publish(&mut self, root: &Path) {
        let before = self.opened.get_mut(root).map(|opened| std::mem::take(&mut opened.told));
        let diagnostics = self.diagnostics(root).cloned().unwrap_or_default();
        let told: BTreeSet<String> = diagnostics.keys().cloned().collect();
        let gone = before.unwrap_or_default().into_iter().filter(|path| !told.contains(path));
        let gone: Vec<_> = gone.map(|path| (path, Vec::new())).collect();
        if let Some(opened) = self.opened.get_mut(root) {
            opened.told = told;
        }
        for (path, diagnostics) in diagnostics.into_iter().chain(gone) {
            let Some(uri) = self.uri_of(root, &path) else { continue };
            let version = self.documents.get(uri.as_str()).map(|document| document.version);
            let params = PublishDiagnosticsParams { uri, diagnostics, version };
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    /// Tells the client what is wrong with open settings.
    fn publish_settings(&mut self) {
        let settings = self.documents.iter().filter(|(_, one)| one.kind == DocumentKind::Settings);
        let faults = settings.filter_map(|(uri, document)| {
            let diagnostics = settings_diagnostics(document, self.client.encoding);
            let version = Some(document.version);
            Some(PublishDiagnosticsParams { uri: uri.parse().ok()?, diagnostics, version })
        });
        let faults: Vec<_> = faults.collect();
        faults.into_iter().for_each(|fault| self.notify("textDocument/publishDiagnostics", fault));
    }

    /// The URI of a file. If it is open, the one that the client uses.
    pub(super) fn uri_of(&self, root: &Path, path: &str) -> Option<Uri> {
        uri_of(&self.documents, root, path)
    }

    pub(super) fn roots_owned(&self) -> Vec<PathBuf> {
        self.opened.keys().cloned().collect()
    }

    /// The repository and the path of an open file.
    pub(super) fn place(&self, uri: &Uri) -> Option<(PathBuf, String)> {
        let document = self.documents.get(uri.as_str())?;
        Some((document.root.clone(), document.path.clone()))
    }

    pub(super) fn workspace(&self, root: &Path) -> Option<&Workspace> {
        self.opened.get(root).map(|opened| &opened.workspace)
    }

    pub(super) fn workspace_mut(&mut self, root: &Path) -> Option<&mut Workspace> {
        self.opened.get_mut(root).map(|opened| &mut opened.workspace)
    }

    /// The diagnostics of a repository, by path.
    pub(super) fn diagnostics(&mut self, root: &Path) -> Option<&Diagnostics> {
        let (documents, encoding) = (&self.documents, self.client.encoding);
        let Opened { workspace, diagnostics, .. } = self.opened.get_mut(root)?;
        if diagnostics.is_none() {
            workspace.check();
            let uri = |path: &str| uri_of(documents, root, path);
            let sources = &workspace.data().sources;
            let shown = Shown { sources, encoding, uri: &uri };
            let findings = workspace.checked().map(|checked| checked.outcome.findings.as_slice());
            *diagnostics = Some(shown.diagnostics(findings.unwrap_or_default()));
        }
        diagnostics.as_ref()
    }
}

fn uri_of(documents: &Documents, root: &Path, path: &str) -> Option<Uri> {
    use std::str::FromStr;
    let mut open = documents.iter();
    let open = open.find(|(_, document)| document.root == root && document.path == path);
    open.and_then(|(uri, _)| Uri::from_str(uri).ok()).or_else(|| uri::of(&root.join(path)))
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

pub(super) fn parsed<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, Refusal> {
    let text = params.map_or("null", RawValue::get);
    serde_json::from_str(text).map_err(|error| {
        let why = error.to_string();
        Refusal::new(Refusal::INVALID_PARAMS, printable(&why))
    })
}
