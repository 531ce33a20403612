//! Lists and reads files that a sparse checkout omits from the work tree. They still belong to the
//! repository: git commits them as they are in its index.

use std::collections::BTreeSet;
use std::path::Path;

use crate::git::{Git, GitError, TreeEntry};

use super::{MAX_FILE, TreeError, Unreadable, WantedPaths};

/// A file of the index that is not in the work tree.
pub(super) struct OmittedFile {
    /// The path, relative to the repository.
    pub(super) path: String,
    pub(super) is_link: bool,
    pub(super) content: Result<Vec<u8>, Unreadable>,
}

/// Lists the wanted files that the work tree omits. Empty if git cannot tell: without git there is
/// no sparse checkout, and a repository that git refuses already gets a note.
pub(super) fn list(root: &Path, wanted: WantedPaths) -> Result<Vec<TreeEntry>, TreeError> {
    let paths: Vec<&str> = wanted.folders.iter().chain(wanted.files).copied().collect();
    match Git::at(root).omitted(&paths) {
        Ok(entries) => Ok(entries),
        Err(GitError::Missing(_) | GitError::Refused { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Reads the listed files that the work tree does not have.
pub(super) fn read(
    root: &Path,
    mut entries: Vec<TreeEntry>,
    present: &BTreeSet<&str>,
) -> Result<Vec<OmittedFile>, TreeError> {
    let path_of = |entry: &TreeEntry| String::from_utf8_lossy(&entry.path).into_owned();
    entries.retain(|entry| !present.contains(path_of(entry).as_str()));
    let git = Git::at(root);
    // A partial clone does not have the contents of files that it omits.
    let failed = |error: GitError| match error {
        GitError::Failed(why) => TreeError::Omitted { files: entries.len(), why },
        other => other.into(),
    };
    let is_file = |entry: &&TreeEntry| entry.mode != "160000";
    let objects: Vec<String> =
        entries.iter().filter(is_file).map(|entry| entry.object.clone()).collect();
    let sizes = git.sizes(&objects).map_err(failed)?;
    let small = objects.iter().zip(&sizes).filter(|(_, size)| **size <= MAX_FILE);
    let small: Vec<String> = small.map(|(object, _)| object.clone()).collect();
    let contents = git.contents(&small).map_err(failed)?;
    let (mut sizes, mut contents) = (sizes.into_iter(), contents.into_iter());
    let missing = || Unreadable::Io("git did not answer".to_owned());
    let content_of = |entry: &TreeEntry| {
        if !is_file(&entry) {
            return Err(Unreadable::Submodule);
        }
        match sizes.next().ok_or_else(missing)? {
            size if size > MAX_FILE => Err(Unreadable::TooLarge(size)),
            _ => contents.next().ok_or_else(missing),
        }
    };
    let contents: Vec<_> = entries.iter().map(content_of).collect();
    let files = entries.iter().zip(contents).map(|(entry, content)| OmittedFile {
        path: path_of(entry),
        is_link: entry.mode == "120000",
        content,
    });
    Ok(files.collect())
}
