//! Where a change begins.

use std::collections::BTreeMap;
use std::path::Path;

use crate::git::{Git, GitError};

use super::{TreeError, Wanted};

/// The commit that a change is held against.
#[derive(Clone, Debug)]
pub struct Base {
    /// Its id.
    pub commit: String,
    /// Whether it is where the two histories part; else it is the revision that was named.
    pub is_merge_base: bool,
}

/// Where the history of `head` (of the work tree's commit, if none is named) left that of
/// `revision`. In a shallow clone that may not be known; then it is `revision` itself.
pub fn base(root: &Path, revision: &str, head: Option<&str>) -> Result<Base, TreeError> {
    let git = Git::at(root);
    let named = super::revision::commit(&git, revision)?;
    let head = super::revision::commit(&git, head.unwrap_or("HEAD"))?;
    match git.merge_base(&named, &head) {
        Ok(commit) => Ok(Base { commit, is_merge_base: true }),
        Err(GitError::Missing(why)) => Err(TreeError::NoGit(why)),
        Err(GitError::Failed(_)) => Ok(Base { commit: named, is_merge_base: false }),
    }
}

/// The commit that a revision names.
pub fn commit(root: &Path, revision: &str) -> Result<String, TreeError> {
    super::revision::commit(&Git::at(root), revision)
}

/// The messages of the commits of a change, the newest first, each with its commit's id; none where
/// they cannot be had.
#[must_use]
pub fn messages(root: &Path, base: &str, head: Option<&str>) -> Vec<(String, String)> {
    let git = Git::at(root);
    let head = super::revision::commit(&git, head.unwrap_or("HEAD"));
    head.ok().and_then(|head| git.messages(base, &head).ok()).unwrap_or_default()
}

/// Whether git is in the middle of a merge in the work tree.
#[must_use]
pub fn is_merging(root: &Path) -> bool {
    Git::at(root).commit("MERGE_HEAD").is_ok()
}

/// The files that a change renames: their paths before, with their paths after.
pub fn renames(
    root: &Path,
    base: &Base,
    head: Option<&str>,
    wanted: Wanted,
) -> Result<BTreeMap<String, String>, TreeError> {
    let git = Git::at(root);
    let head = head.map(|head| super::revision::commit(&git, head)).transpose()?;
    let paths: Vec<&str> = wanted.folders.iter().chain(wanted.files).copied().collect();
    Ok(git.renames(&base.commit, head.as_deref(), &paths)?.into_iter().collect())
}
