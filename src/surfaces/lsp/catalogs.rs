//! What an editor's files are to the catalogs of operators.

use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, Uri};

use crate::catalog::{is_template, may_be_of_catalog};
use crate::workspace::CatalogWorkspace;

use super::desk::{Desk, FilePlace};
use super::diagnostics::{Diagnostics, Shown};
use super::documents::{Document, DocumentKind};
use super::encoding::Encoding;
use super::opened_catalogs::OpenedCatalog;
use super::refusal::Refusal;

impl Desk {
    /// The place of a file of a catalog, or of a template.
    pub(super) fn place_in_catalog(&mut self, path: &Path, text: &str) -> Option<FilePlace> {
        if !may_be_of_catalog(text) {
            return None;
        }
        // A template that is not on the disk has no catalog of its own.
        let is_alone = is_template(text) && path.is_file();
        let key = if is_alone { path } else { path.parent()? };
        if !self.catalogs.opened.contains_key(key) {
            let workspace = match CatalogWorkspace::open(key) {
                Ok(workspace) => workspace,
                Err(failure) => {
                    let words = Refusal::from(failure).message;
                    let known = self.catalogs.failed.insert(key.to_owned(), words.clone());
                    if known.as_ref() != Some(&words) {
                        self.outbox.show(&words);
                    }
                    return None;
                }
            };
            let opened = OpenedCatalog { workspace, told: Diagnostics::new(), problem: None };
            self.catalogs.failed.remove(key);
            self.catalogs.opened.insert(key.to_owned(), opened);
        }
        let root = self.catalogs.opened.get(key)?.workspace.root().to_owned();
        let relative = path.strip_prefix(&root).ok()?.to_str()?.to_owned();
        Some(FilePlace { root, path: relative, kind: DocumentKind::Catalog })
    }

    /// The catalog of an open file.
    pub(super) fn catalog(&self, document: &Document) -> Option<&CatalogWorkspace> {
        Some(&self.catalogs.of(document)?.workspace)
    }

    /// Runs the rules on the catalog of an open file, unless nothing changed since they ran.
    pub(super) fn check_catalog(&mut self, document: &Document) {
        if let Some(opened) = self.catalogs.of_mut(document) {
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

    /// Tells the client the diagnostics of catalogs that are not those that it knows.
    pub(super) fn publish_catalogs(&mut self) {
        let keys: Vec<PathBuf> = self.catalogs.watched().collect();
        for key in &keys {
            self.publish_catalog(key);
        }
    }

    fn publish_catalog(&mut self, key: &Path) {
        let Some(opened) = self.catalogs.opened.get_mut(key) else { return };
        opened.check(&mut self.outbox);
        let Some(OpenedCatalog { workspace, .. }) = self.catalogs.opened.get(key) else { return };
        let root = workspace.root().to_owned();
        let uri = |path: &str| self.uri_of(&root, path);
        let now = diagnostics_of_catalog(workspace, self.client.encoding, &uri);
        let before = self.catalogs.opened.get(key).map(|opened| opened.told.clone());
        self.publish_difference(&root, &before.unwrap_or_default(), &now);
        if let Some(opened) = self.catalogs.opened.get_mut(key) {
            opened.told = now;
        }
    }
}

fn diagnostics_of_catalog(
    workspace: &CatalogWorkspace,
    encoding: Encoding,
    uri: &dyn Fn(&str) -> Option<Uri>,
) -> Diagnostics {
    let Some(sources) = workspace.sources() else { return Diagnostics::new() };
    Shown { sources, encoding, uri }.diagnostics(workspace.findings().iter())
}
