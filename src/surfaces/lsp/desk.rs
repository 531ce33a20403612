//! What an editor has open: files, and the repositories that they are in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, TextDocumentItem, TextDocumentPositionParams, Uri,
};
use serde_json::Value;

use crate::graph_data::{FileKind, WANTED};
use crate::lint::path_of;
use crate::promql::Dialect;
use crate::risks::Tested;
use crate::rules::Finding;
use crate::session::{SETTINGS, nearest_repository};
use crate::text::Source;
use crate::tree::is_listed;
use crate::workspace::{Workspace, watched};

use super::capabilities::Client;
use super::diagnostics::{Diagnostics, Shown, settings_diagnostics};
use super::documents::{Document, DocumentKind, Documents};
use super::opened_catalogs::OpenedCatalogs;
use super::outbox::Outbox;
use super::refusal::Refusal;
use super::uri::{self, FileUris};

/// A repository with open files.
#[derive(Debug)]
struct Opened {
    workspace: Workspace<'static>,
    /// None if they were not computed since the last edit.
    diagnostics: Option<Arc<Diagnostics>>,
    /// The diagnostics that were sent to the client.
    told: Arc<Diagnostics>,
    /// Why the last state on the disk was not read.
    problem: Option<String>,
}

/// A position of an open file.
pub(super) struct At<'d> {
    /// The root of its repository.
    pub root: PathBuf,
    pub path: String,
    pub workspace: &'d Workspace<'static>,
    pub source: &'d Source,
    /// In bytes.
    pub offset: usize,
}

#[derive(Debug)]
pub(super) struct Desk {
    base: Option<String>,
    pub client: Client,
    pub documents: Documents,
    pub outbox: Outbox,
    uris: FileUris,
    opened: BTreeMap<PathBuf, Opened>,
    pub(super) catalogs: OpenedCatalogs,
    /// The folders that could not be opened, with the reason that the client was told.
    failed: BTreeMap<PathBuf, String>,
    /// Whether diagnostics may be out of date.
    pub is_stale: bool,
}

/// Where a file is, and what it is.
pub(super) struct FilePlace {
    /// The repository or the catalog.
    pub root: PathBuf,
    /// The path from there.
    pub path: String,
    pub kind: DocumentKind,
}

impl Desk {
    pub(super) fn new(base: Option<String>) -> Self {
        Self {
            base,
            client: Client::default(),
            documents: Documents::new(),
            outbox: Outbox::default(),
            uris: FileUris::default(),
            opened: BTreeMap::new(),
            catalogs: OpenedCatalogs::default(),
            failed: BTreeMap::new(),
            is_stale: false,
        }
    }

    /// The paths whose changes [`files_changed`](Self::files_changed) notices.
    pub(super) fn watched(&self) -> Vec<PathBuf> {
        let repositories = self.opened.keys().flat_map(|root| watched(root));
        repositories.chain(self.catalogs.watched()).collect()
    }

    pub(super) fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let Some(path) = uri::path(&params.text_document.uri) else { return };
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.open(uri.as_str(), &path, version, text);
    }

    fn open(&mut self, uri: &str, path: &Path, version: i32, text: String) {
        let place = self.place_in_repository(path);
        let place = place.or_else(|| self.place_in_catalog(path, &text));
        let unknown = || {
            let (root, name) = (path.parent()?.to_owned(), path.file_name()?.to_str()?.to_owned());
            Some(FilePlace { root, path: name, kind: DocumentKind::Unknown })
        };
        let Some(FilePlace { root, path, kind }) = place.or_else(unknown) else { return };
        let document = Document { root, path, kind, version, text };
        self.uris.opened(uri, &document);
        self.documents.insert(uri.to_owned(), document);
        self.take_text(uri);
    }

    /// The place of a file of a repository, which is opened.
    fn place_in_repository(&mut self, path: &Path) -> Option<FilePlace> {
        let root = nearest_repository(path)?;
        let relative = path.strip_prefix(&root).ok()?.to_str()?.to_owned();
        let kind = match relative.as_str() {
            SETTINGS => DocumentKind::Settings,
            _ if is_listed(&relative, WANTED) => DocumentKind::Data,
            _ => return None,
        };
        self.open_repository(&root);
        Some(FilePlace { root, path: relative, kind })
    }

    pub(super) fn did_change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else { return };
        let version = params.text_document.version;
        document.change(version, params.content_changes, self.client.encoding);
        if self.catalogs.lack(document)
            && let Some(document) = self.forget(uri)
        {
            let path = document.root.join(&document.path);
            return self.open(uri, &path, version, document.text);
        }
        self.take_text(uri);
    }

    pub(super) fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.forget(uri) else { return };
        if document.kind == DocumentKind::Settings {
            let (uri, diagnostics) = (params.text_document.uri.clone(), Vec::new());
            let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
            return self.outbox.notify("textDocument/publishDiagnostics", params);
        }
        self.is_stale = true;
    }

    /// From now on, the text on the disk counts.
    fn forget(&mut self, uri: &str) -> Option<Document> {
        let document = self.documents.remove(uri)?;
        self.uris.closed(&document, &self.documents);
        match document.kind {
            DocumentKind::Settings | DocumentKind::Unknown => {}
            DocumentKind::Catalog => self.catalogs.edit(&document, None),
            DocumentKind::Data => {
                if let Some(opened) = self.opened.get_mut(&document.root) {
                    opened.workspace.edit(&document.path, None);
                    opened.diagnostics = None;
                }
            }
        }
        Some(document)
    }

    /// Gives the text of an open file to its repository.
    fn take_text(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        self.is_stale = true;
        match document.kind {
            DocumentKind::Settings | DocumentKind::Unknown => {}
            DocumentKind::Data => {
                if let Some(opened) = self.opened.get_mut(&document.root) {
                    opened.workspace.edit(&document.path, Some(&document.text));
                    opened.diagnostics = None;
                }
            }
            DocumentKind::Catalog => {
                self.catalogs.edit(document, Some(&document.text));
            }
        }
    }

    pub(super) fn open_repository(&mut self, root: &Path) {
        if self.opened.contains_key(root) {
            return;
        }
        match Workspace::of_editor(root.to_owned(), self.base.clone()) {
            Ok(workspace) => {
                self.failed.remove(root);
                let told = Arc::default();
                let opened = Opened { workspace, diagnostics: None, told, problem: None };
                self.opened.insert(root.to_owned(), opened);
                self.is_stale = true;
                let uris = self.documents.iter().filter(|(_, document)| document.root == root);
                let uris: Vec<String> = uris.map(|(uri, _)| uri.clone()).collect();
                for uri in &uris {
                    self.take_text(uri);
                }
            }
            Err(failure) => {
                let words = Refusal::from(failure).message;
                if self.failed.insert(root.to_owned(), words.clone()).as_ref() != Some(&words) {
                    self.outbox.show(&words);
                }
            }
        }
    }

    /// Reads the files on the disk again.
    pub(super) fn files_changed(&mut self) {
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
        for problem in &problems {
            self.outbox.show(problem);
        }
        self.catalogs.reload();
        let failed: Vec<PathBuf> = self.failed.keys().cloned().collect();
        for root in &failed {
            self.open_repository(root);
        }
        self.is_stale = true;
    }

    /// Tells the client what changed. To be called when no message from the client is waiting.
    pub(super) fn settle(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        if self.client.pulls_diagnostics {
            self.outbox.ask("workspace/diagnostic/refresh", Value::Null);
        } else {
            for root in self.roots() {
                self.publish(&root);
            }
            self.publish_settings();
            self.publish_catalogs();
        }
        if self.client.refreshes_lenses {
            self.outbox.ask("workspace/codeLens/refresh", Value::Null);
        }
    }

    /// Tells the client the diagnostics of a repository that are not those that it knows.
    fn publish(&mut self, root: &Path) {
        let Some(now) = self.diagnostics(root) else { return };
        let Some(opened) = self.opened.get_mut(root) else { return };
        let before = std::mem::replace(&mut opened.told, Arc::clone(&now));
        self.publish_difference(root, &before, &now);
    }

    pub(super) fn publish_difference(
        &mut self,
        root: &Path,
        before: &Diagnostics,
        now: &Diagnostics,
    ) {
        let gone = before.keys().filter(|path| !now.contains_key(*path));
        let gone = gone.map(|path| (path, Vec::new()));
        let new = now.iter().filter(|(path, found)| before.get(*path) != Some(*found));
        for (path, diagnostics) in new.map(|(path, found)| (path, found.clone())).chain(gone) {
            let Some(uri) = self.uri_of(root, path) else { continue };
            let version = self.documents.get(uri.as_str()).map(|document| document.version);
            let params = PublishDiagnosticsParams { uri, diagnostics, version };
            self.outbox.notify("textDocument/publishDiagnostics", params);
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
        for fault in faults {
            self.outbox.notify("textDocument/publishDiagnostics", fault);
        }
    }

    /// The URI of a file. If it is open, the one that the client uses.
    pub(super) fn uri_of(&self, root: &Path, path: &str) -> Option<Uri> {
        self.uris.of(root, path)
    }

    pub(super) fn roots(&self) -> Vec<PathBuf> {
        self.opened.keys().cloned().collect()
    }

    /// What is at a position of an open file of a repository.
    pub(super) fn at(&self, place: &TextDocumentPositionParams) -> Option<At<'_>> {
        let (root, path) = self.place(&place.text_document.uri)?;
        let workspace = self.workspace(&root)?;
        let source = workspace.source(&path)?;
        let offset = self.client.encoding.offset(source, place.position);
        Some(At { root, path, workspace, source, offset })
    }

    /// The repository and the path of an open file.
    pub(super) fn place(&self, uri: &Uri) -> Option<(PathBuf, String)> {
        let document = self.documents.get(uri.as_str())?;
        Some((document.root.clone(), document.path.clone()))
    }

    pub(super) fn workspace(&self, root: &Path) -> Option<&Workspace<'static>> {
        self.opened.get(root).map(|opened| &opened.workspace)
    }

    pub(super) fn workspace_mut(&mut self, root: &Path) -> Option<&mut Workspace<'static>> {
        self.opened.get_mut(root).map(|opened| &mut opened.workspace)
    }

    /// The diagnostics of a repository, by path: the findings of `check`, and the problems in the
    /// tests of open files.
    pub(super) fn diagnostics(&mut self, root: &Path) -> Option<Arc<Diagnostics>> {
        self.check(root);
        let (uris, documents, encoding) = (&self.uris, &self.documents, self.client.encoding);
        let Opened { workspace, diagnostics, .. } = self.opened.get_mut(root)?;
        let uri = |path: &str| uris.of(root, path);
        let data = workspace.data();
        let shown = Shown { sources: &data.sources, encoding, uri: &uri };
        let is_open = |file| {
            let is_it = |one: &Document| one.root == root && one.path == data.path(file);
            documents.iter().any(|(_, document)| is_it(document))
        };
        let all = || {
            let mut all = shown.diagnostics(workspace.findings().iter());
            let tested = Tested::about(data, &is_open, Dialect::Three, None);
            for problem in tested.problems() {
                let own = all.entry(data.path(problem.file).to_owned()).or_default();
                own.push(shown.test_problem(&problem));
            }
            Arc::new(all)
        };
        Some(Arc::clone(diagnostics.get_or_insert_with(all)))
    }

    /// The diagnostics of one file.
    pub(super) fn diagnostics_of(&mut self, root: &Path, path: &str) -> Vec<Diagnostic> {
        if FileKind::of(path) == FileKind::RiskTest {
            let all = self.diagnostics(root).unwrap_or_default();
            return all.get(path).cloned().unwrap_or_default();
        }
        self.check(root);
        let Some(workspace) = self.workspace(root) else { return Vec::new() };
        let uri = |path: &str| self.uri_of(root, path);
        let sources = &workspace.data().sources;
        let shown = Shown { sources, encoding: self.client.encoding, uri: &uri };
        let is_here = |finding: &&Finding| path_of(sources, &finding.place) == path;
        let own = workspace.findings().iter().filter(is_here);
        shown.diagnostics(own).remove(path).unwrap_or_default()
    }

    /// Reads what was edited.
    pub(super) fn read_edits(&mut self) {
        for opened in self.opened.values_mut() {
            opened.workspace.read_edits();
        }
    }

    /// Runs the rules, unless nothing changed since they ran.
    pub(super) fn check(&mut self, root: &Path) {
        if let Some(opened) = self.opened.get_mut(root) {
            opened.workspace.check();
        }
    }
}
