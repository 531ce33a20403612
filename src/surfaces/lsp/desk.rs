//! What an editor has open: files, and the repositories that they are in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, TextDocumentItem, TextDocumentPositionParams, Uri,
};
use serde_json::Value;

use crate::catalog::may_be_of_catalog;
use crate::graph_data::{FileKind, WANTED};
use crate::lint::path_of;
use crate::promql::Dialect;
use crate::risks::Tested;
use crate::rules::Finding;
use crate::session::{SETTINGS, nearest_repository};
use crate::text::Source;
use crate::tree::is_listed;
use crate::workspace::{CatalogWorkspace, Workspace, watched};

use super::capabilities::Client;
use super::diagnostics::{Diagnostics, Shown, settings_diagnostics};
use super::documents::{Document, DocumentKind, Documents};
use super::encoding::Encoding;
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

/// A catalog with open files.
#[derive(Debug)]
struct OpenedCatalog {
    workspace: CatalogWorkspace,
    /// The diagnostics that were sent to the client.
    told: Diagnostics,
    /// Why the catalog could not be read.
    problem: Option<String>,
}

impl OpenedCatalog {
    fn check(&mut self, outbox: &mut Outbox) {
        let problem = self.workspace.check().err().map(|failure| Refusal::from(failure).message);
        if let Some(words) = problem.as_ref().filter(|words| self.problem.as_ref() != Some(words)) {
            outbox.show(words);
        }
        self.problem = problem;
    }
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
    /// The catalogs with open files, by their folders.
    catalogs: BTreeMap<PathBuf, OpenedCatalog>,
    /// The folders that could not be opened, with the reason that the client was told.
    failed: BTreeMap<PathBuf, String>,
    /// Whether diagnostics may be out of date.
    pub is_stale: bool,
}

/// Where a file is, and what it is.
struct FilePlace {
    /// The repository or the catalog.
    root: PathBuf,
    /// The path from there.
    path: String,
    kind: DocumentKind,
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
            catalogs: BTreeMap::new(),
            failed: BTreeMap::new(),
            is_stale: false,
        }
    }

    /// The paths whose changes [`files_changed`](Self::files_changed) notices.
    pub(super) fn watched(&self) -> Vec<PathBuf> {
        let repositories = self.opened.keys().flat_map(|root| watched(root));
        repositories.chain(self.catalogs.keys().cloned()).collect()
    }

    pub(super) fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let Some(path) = uri::path(&params.text_document.uri) else { return };
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        let place = self.place_in_repository(&path);
        let place = place.or_else(|| self.place_in_catalog(&path, &text));
        let Some(FilePlace { root, path, kind }) = place else { return };
        let document = Document { root, path, kind, version, text };
        self.uris.opened(uri.as_str(), &document);
        self.documents.insert(uri.as_str().to_owned(), document);
        self.take_text(uri.as_str());
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

    /// The place of a file of a catalog. The folder of the file is the catalog.
    fn place_in_catalog(&mut self, path: &Path, text: &str) -> Option<FilePlace> {
        let folder = path.parent().filter(|_| may_be_of_catalog(text))?;
        if !self.catalogs.contains_key(folder) {
            let workspace = match CatalogWorkspace::open(folder) {
                Ok(workspace) => workspace,
                Err(failure) => {
                    self.outbox.show(&Refusal::from(failure).message);
                    return None;
                }
            };
            let opened = OpenedCatalog { workspace, told: Diagnostics::new(), problem: None };
            self.catalogs.insert(folder.to_owned(), opened);
        }
        let root = self.catalogs.get(folder)?.workspace.root().to_owned();
        let relative = path.strip_prefix(&root).ok()?.to_str()?.to_owned();
        Some(FilePlace { root, path: relative, kind: DocumentKind::Catalog })
    }

    /// The catalog of an open file.
    pub(super) fn catalog(&self, document: &Document) -> Option<&CatalogWorkspace> {
        Some(&self.catalogs.get(&folder_of(document)?)?.workspace)
    }

    /// Runs the rules on the catalog of an open file, unless nothing changed since they ran.
    pub(super) fn check_catalog(&mut self, document: &Document) {
        if let Some(opened) = folder_of(document).and_then(|one| self.catalogs.get_mut(&one)) {
            opened.check(&mut self.outbox);
        }
    }

    /// The diagnostics of a file of a catalog.
    pub(super) fn diagnostics_in_catalog(&mut self, document: &Document) -> Vec<Diagnostic> {
        self.check_catalog(document);
        let Some(workspace) = self.catalog(document) else { return Vec::new() };
        let uri = |path: &str| self.uri_of(workspace.root(), path);
        let all = diagnostics_of_catalog(workspace, self.client.encoding, &uri);
        all.get(&document.path).cloned().unwrap_or_default()
    }

    pub(super) fn did_change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else { return };
        let version = params.text_document.version;
        document.change(version, params.content_changes, self.client.encoding);
        self.take_text(uri);
    }

    pub(super) fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.remove(uri) else { return };
        self.uris.closed(&document, &self.documents);
        if document.kind == DocumentKind::Settings {
            let (uri, diagnostics) = (params.text_document.uri.clone(), Vec::new());
            let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
            return self.outbox.notify("textDocument/publishDiagnostics", params);
        }
        self.is_stale = true;
        if document.kind == DocumentKind::Catalog {
            let folder = folder_of(&document);
            if let Some(opened) = folder.and_then(|folder| self.catalogs.get_mut(&folder)) {
                opened.workspace.edit(&document.path, None);
            }
        } else if let Some(opened) = self.opened.get_mut(&document.root) {
            opened.workspace.edit(&document.path, None);
            opened.diagnostics = None;
        }
    }

    /// Gives the text of an open file to its repository.
    fn take_text(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        self.is_stale = true;
        match document.kind {
            DocumentKind::Settings => {}
            DocumentKind::Data => {
                if let Some(opened) = self.opened.get_mut(&document.root) {
                    opened.workspace.edit(&document.path, Some(&document.text));
                    opened.diagnostics = None;
                }
            }
            DocumentKind::Catalog => {
                let folder = folder_of(document);
                if let Some(opened) = folder.and_then(|folder| self.catalogs.get_mut(&folder)) {
                    opened.workspace.edit(&document.path, Some(&document.text));
                }
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
        self.catalogs.values_mut().for_each(|opened| opened.workspace.reload());
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
            let folders: Vec<PathBuf> = self.catalogs.keys().cloned().collect();
            for folder in &folders {
                self.publish_catalog(folder);
            }
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

    fn publish_catalog(&mut self, folder: &Path) {
        let Some(opened) = self.catalogs.get_mut(folder) else { return };
        opened.check(&mut self.outbox);
        let Some(OpenedCatalog { workspace, .. }) = self.catalogs.get(folder) else { return };
        let root = workspace.root().to_owned();
        let uri = |path: &str| self.uri_of(&root, path);
        let now = diagnostics_of_catalog(workspace, self.client.encoding, &uri);
        let before = self.catalogs.get(folder).map(|opened| opened.told.clone());
        self.publish_difference(&root, &before.unwrap_or_default(), &now);
        if let Some(opened) = self.catalogs.get_mut(folder) {
            opened.told = now;
        }
    }

    fn publish_difference(&mut self, root: &Path, before: &Diagnostics, now: &Diagnostics) {
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

/// The folder of a file of a catalog.
fn folder_of(document: &Document) -> Option<PathBuf> {
    let is_catalog = document.kind == DocumentKind::Catalog;
    is_catalog.then(|| Some(document.root.join(&document.path).parent()?.to_owned())).flatten()
}

fn diagnostics_of_catalog(
    workspace: &CatalogWorkspace,
    encoding: Encoding,
    uri: &dyn Fn(&str) -> Option<Uri>,
) -> Diagnostics {
    let Some(sources) = workspace.sources() else { return Diagnostics::new() };
    Shown { sources, encoding, uri }.diagnostics(workspace.findings().iter())
}
