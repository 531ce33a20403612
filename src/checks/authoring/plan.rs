//! New texts for files of a repository.

use std::collections::BTreeSet;

use crate::tree::Blob;

/// The new texts of some files, and what they are for.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Sorted by path.
    pub files: Vec<PlannedFile>,
    /// The first line of a commit message, as the maintainers write it.
    pub subject: String,
    /// What the user should know before the files are written.
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct PlannedFile {
    /// Relative to the repository.
    pub path: String,
    /// None: the file does not exist.
    pub old: Option<String>,
    /// None: the file is removed.
    pub new: Option<String>,
    /// The file that is renamed to this one.
    pub moved_from: Option<String>,
}

impl PlannedFile {
    pub(super) fn created(path: String, text: String) -> Self {
        Self { path, old: None, new: Some(text), moved_from: None }
    }

    pub(super) fn changed(path: &str, old: &str, new: String) -> Self {
        let old = Some(old.to_owned());
        Self { path: path.to_owned(), old, new: Some(new), moved_from: None }
    }

    pub(super) fn removed(path: &str, old: &str) -> Self {
        Self { path: path.to_owned(), old: Some(old.to_owned()), new: None, moved_from: None }
    }

    /// A file that gets another path, and a new text.
    pub(super) fn moved(path: &str, old: &str, to: String, new: String) -> [Self; 2] {
        let created = Self { moved_from: Some(path.to_owned()), ..Self::created(to, new) };
        [Self::removed(path, old), created]
    }
}

impl Plan {
    pub(super) fn new(mut files: Vec<PlannedFile>, subject: String) -> Self {
        files.retain(|file| file.old != file.new);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Self { files, subject, notes: Vec::new() }
    }

    /// A plan that changes no file.
    #[cfg(feature = "lsp")]
    pub(crate) fn nothing() -> Self {
        Self::new(Vec::new(), String::new())
    }

    pub(super) fn noting(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// The files of a repository after the plan.
    pub(crate) fn applied_to(&self, mut blobs: Vec<Blob>) -> Vec<Blob> {
        let planned: BTreeSet<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        blobs.retain(|blob| !planned.contains(blob.path.as_str()));
        let new = self.files.iter().filter_map(|file| {
            let text = file.new.clone()?;
            Some(Blob::new(file.path.clone(), Ok(text.into_bytes())))
        });
        blobs.extend(new);
        blobs.sort_by(|a, b| a.path.cmp(&b.path));
        blobs
    }
}
