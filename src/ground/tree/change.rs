//! What git knows about a change: its base and its messages.

use std::path::Path;

use crate::git::{Commit, Git, GitError, TreeEntry};

use super::{Blob, MAX_FILE, TreeError};

/// The commit that a change is compared with.
#[derive(Clone, Debug)]
pub(crate) struct BaseCommit {
    pub commit: String,
    /// Whether it is the merge base. If there is none, the commit is that of the revision itself.
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
        Err(GitError::Failed(_)) => Ok(BaseCommit { commit: named, is_merge_base: false }),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn commit(root: &Path, revision: &str) -> Result<String, TreeError> {
    super::revision::commit(&Git::at(root), revision)
}

/// When a revision was committed, in seconds since 1970.
pub(crate) fn date(root: &Path, revision: &str) -> Result<i64, TreeError> {
    Ok(Git::at(root).date(revision)?)
}

/// The last commit of the mainline before a time, in seconds since 1970.
pub(crate) fn commit_before(root: &Path, time: i64) -> Result<Option<String>, TreeError> {
    let git = Git::at(root);
    let commits = git.commits(&git.commit("HEAD")?)?;
    let is_it = |commit: &Commit| commit.is_on_mainline && commit.time < time;
    Ok(commits.into_iter().rfind(is_it).map(|commit| commit.id))
}

/// The commits of the mainline up to a revision, oldest first, each with its time in seconds since
/// 1970.
pub(crate) fn mainline(
    root: &Path,
    revision: Option<&str>,
) -> Result<Vec<(String, i64)>, TreeError> {
    let git = Git::at(root);
    let commits = git.commits(&super::revision::commit(&git, revision.unwrap_or("HEAD"))?)?;
    let mainline = commits.into_iter().filter(|commit| commit.is_on_mainline);
    Ok(mainline.map(|commit| (commit.id, commit.time)).collect())
}

/// The commits of a change with their messages, newest first. Empty if git fails.
pub(crate) fn messages(root: &Path, base: &str, head: Option<&str>) -> Vec<(String, String)> {
    let git = Git::at(root);
    let head = super::revision::commit(&git, head.unwrap_or("HEAD"));
    head.ok().and_then(|head| git.messages(base, &head).ok()).unwrap_or_default()
}

/// The last text of a file of `folder` that was deleted before a commit. Of its name, only the end
/// is known. None if there was no such file, or if git cannot read it.
pub(crate) fn deleted(root: &Path, before: &str, folder: &str, end_of_name: &str) -> Option<Blob> {
    let git = Git::at(root);
    let deleting = git.last_change(before, &format!("{folder}/*{end_of_name}")).ok()??;
    let parent = git.commit(&format!("{deleting}^")).ok()?;
    let entries = git.list(&parent, &[folder]).ok()?;
    let is_it = |entry: &TreeEntry| entry.path.ends_with(end_of_name.as_bytes());
    let entry = entries.into_iter().find(|entry| is_it(entry) && is_small_file(entry))?;
    let content = git.contents(&[entry.object]).ok()?.pop()?;
    Some(Blob::new(String::from_utf8_lossy(&entry.path).into_owned(), Ok(content)))
}

/// The text of a file at a commit. The path is relative to the folder. None if the file does not
/// exist there, or is not text.
pub(crate) fn text_at(root: &Path, commit: &str, path: &str) -> Option<String> {
    let git = Git::at(root);
    let is_it = |entry: &TreeEntry| entry.path == path.as_bytes() && is_small_file(entry);
    let entry = git.list(commit, &[path]).ok()?.into_iter().find(is_it)?;
    String::from_utf8(git.contents(&[entry.object]).ok()?.pop()?).ok()
}

/// Whether it is a file that may be read: not a link, and not too large.
fn is_small_file(entry: &TreeEntry) -> bool {
    entry.mode.starts_with("100") && entry.size.is_some_and(|size| size <= MAX_FILE)
}

/// The unfinished operation in the work tree, such as a merge, if there is one. A commit would
/// interfere with it.
pub(crate) fn unfinished(root: &Path) -> Option<&'static str> {
    let marks = [
        ("MERGE_HEAD", "merge"),
        ("REBASE_HEAD", "rebase"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ];
    let git = Git::at(root);
    marks.into_iter().find(|(mark, _)| git.commit(mark).is_ok()).map(|(_, what)| what)
}

/// Whether a merge is in progress in the work tree.
pub(crate) fn is_merging(root: &Path) -> bool {
    Git::at(root).commit("MERGE_HEAD").is_ok()
}
