//! What git knows about a change: its base and its messages.

use std::path::Path;

use crate::git::{Git, GitError};

use super::TreeError;

/// The commit that a change is compared with.
#[derive(Clone, Debug)]
pub(crate) struct BaseCommit {
    pub commit: String,
    /// False if there is no merge base: then it is the revision itself.
    pub is_merge_base: bool,
}

/// The merge base of `revision` and `head` (default: `HEAD`), or `revision` itself if there is
/// none. A shallow clone may lack it.
pub(crate) fn base(
    root: &Path,
    revision: &str,
    head: Option<&str>,
) -> Result<BaseCommit, TreeError> {
    let git = Git::at(root);
    let named = super::revision::commit(&git, revision)?;
    let head = super::revision::commit(&git, head.unwrap_or("HEAD"))?;
    match git.merge_base(&named, &head) {
        Ok(commit) => Ok(BaseCommit { commit, is_merge_base: true }),
        Err(error @ (GitError::Missing(_) | GitError::Refused { .. })) => Err(error.into()),
        Err(GitError::Failed(_)) => Ok(BaseCommit { commit: named, is_merge_base: false }),
    }
}

pub(crate) fn commit(root: &Path, revision: &str) -> Result<String, TreeError> {
    super::revision::commit(&Git::at(root), revision)
}

/// The commits of a change with their messages, newest first. Empty if git fails.
#[must_use]
pub(crate) fn messages(root: &Path, base: &str, head: Option<&str>) -> Vec<(String, String)> {
    let git = Git::at(root);
    let head = super::revision::commit(&git, head.unwrap_or("HEAD"));
    head.ok().and_then(|head| git.messages(base, &head).ok()).unwrap_or_default()
}

/// Whether a merge is in progress in the work tree.
#[must_use]
pub(crate) fn is_merging(root: &Path) -> bool {
    Git::at(root).commit("MERGE_HEAD").is_ok()
}
