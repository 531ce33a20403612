//! Catalogs of operators with open files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::catalog::{is_template, may_be_of_catalog};
use crate::workspace::CatalogWorkspace;

use super::diagnostics::Diagnostics;
use super::documents::{Document, DocumentKind};
use super::outbox::Outbox;
use super::refusal::Refusal;

/// The catalogs with open files. The key is a folder or, for a template, the file: a template is no
/// part of the catalog beside it.
#[derive(Debug, Default)]
pub(super) struct OpenedCatalogs {
    pub opened: BTreeMap<PathBuf, OpenedCatalog>,
    /// Those that could not be opened, with the reason that the client was told.
    pub failed: BTreeMap<PathBuf, String>,
}

#[derive(Debug)]
pub(super) struct OpenedCatalog {
    pub workspace: CatalogWorkspace,
    /// The diagnostics that were sent to the client.
    pub told: Diagnostics,
    /// Why the catalog could not be read.
    pub problem: Option<String>,
}

impl OpenedCatalogs {
    pub(super) fn watched(&self) -> impl Iterator<Item = PathBuf> {
        self.opened.keys().cloned()
    }

    pub(super) fn reload(&mut self) {
        self.opened.values_mut().for_each(|opened| opened.workspace.reload());
    }

    pub(super) fn key_of(&self, document: &Document) -> Option<PathBuf> {
        let file = document.root.join(&document.path);
        match document.kind {
            DocumentKind::Catalog if self.opened.contains_key(&file) => Some(file),
            DocumentKind::Catalog => Some(file.parent()?.to_owned()),
            _ => None,
        }
    }

    /// Whether a file became one of another catalog, or a template, while somebody typed.
    pub(super) fn lack(&self, document: &Document) -> bool {
        let file = document.root.join(&document.path);
        match document.kind {
            DocumentKind::Unknown => may_be_of_catalog(&document.text),
            DocumentKind::Catalog => {
                let is_alone = self.key_of(document).as_deref() == Some(&file);
                !is_alone && is_template(&document.text) && file.is_file()
            }
            DocumentKind::Data | DocumentKind::Settings => false,
        }
    }

    /// Gives the text of an open file to its catalog. Without one, that on the disk counts.
    pub(super) fn edit(&mut self, document: &Document, text: Option<&str>) {
        if let Some(opened) = self.of_mut(document) {
            opened.workspace.edit(&document.path, text);
        }
    }

    pub(super) fn of(&self, document: &Document) -> Option<&OpenedCatalog> {
        self.opened.get(&self.key_of(document)?)
    }

    pub(super) fn of_mut(&mut self, document: &Document) -> Option<&mut OpenedCatalog> {
        let key = self.key_of(document)?;
        self.opened.get_mut(&key)
    }
}

impl OpenedCatalog {
    pub(super) fn check(&mut self, outbox: &mut Outbox) {
        let problem = self.workspace.check().err().map(|failure| Refusal::from(failure).message);
        if let Some(words) = problem.as_ref().filter(|words| self.problem.as_ref() != Some(words)) {
            outbox.show(words);
        }
        self.problem = problem;
    }
}
