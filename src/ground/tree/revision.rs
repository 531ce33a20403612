//! Reads a repository at a git revision.

use std::collections::BTreeSet;
use std::path::Path;

use crate::domain::HashMap;
use crate::git::{Git, GitError, TreeEntry};
use crate::text::words::counted;

use super::{Blob, MAX_FILE, MOST_BYTES, TreeError, Unreadable, WantedPaths, misplaced, symlinks};

/// Lists the wanted files of a revision, without reading the work tree.
///
/// `root` is the folder of the graph data. It can be a subfolder of the git repository.
pub(crate) fn read_revision(
    root: &Path,
    revision: &str,
    wanted: WantedPaths,
) -> Result<Vec<Blob>, TreeError> {
    let git = Git::at(root);
    let commit = commit(&git, revision)?;
    let misplaced = misplaced(&git, &commit, wanted)?;
    let mut paths: Vec<&str> = wanted.folders.iter().chain(wanted.files).copied().collect();
    paths.extend(misplaced.iter().map(String::as_str));
    let mut entries = git.list(&commit, &paths)?;
    let is_missing = |entry: &&TreeEntry| entry.size.is_none() && entry.mode != "160000";
    let missing = entries.iter().filter(is_missing).count();
    if missing > 0 {
        let files = counted(missing, "file");
        let why = format!("it lacks the content of {files} (is this a partial clone?)");
        return Err(TreeError::Git(why));
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let files: Vec<(String, Result<&TreeEntry, Unreadable>)> = {
        let links = read_links(&git, &entries)?;
        let by_path: HashMap<String, &TreeEntry> =
            entries.iter().map(|e| (path_of(e), e)).collect();
        entries.iter().map(|entry| (path_of(entry), readable(entry, &links, &by_path))).collect()
    };
    let mut bytes = 0;
    let files: Vec<(String, Result<&TreeEntry, Unreadable>)> = files
        .into_iter()
        .map(|(path, entry)| {
            bytes += entry.as_ref().ok().and_then(|entry| entry.size).unwrap_or_default();
            (path, entry.and_then(|entry| within_limit(entry, bytes)))
        })
        .collect();
    let objects: Vec<String> =
        files.iter().filter_map(|(_, entry)| Some(entry.as_ref().ok()?.object.clone())).collect();
    let mut contents = git.contents(&objects)?.into_iter();
    let missing = || Unreadable::Io("git did not answer".to_owned());
    let folders = folders_named_like_files(&entries).into_iter();
    let folders = folders.map(|path| Blob::new(path, Err(Unreadable::Folder)));
    let files = files.into_iter().map(|(path, entry)| {
        let content = entry.and_then(|_| contents.next().ok_or_else(missing));
        Blob::new(path, content)
    });
    let mut blobs: Vec<Blob> = files.chain(folders).collect();
    blobs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(blobs)
}

/// The entries of the top folder that may hold data that nothing reads.
fn misplaced(git: &Git, commit: &str, wanted: WantedPaths) -> Result<Vec<String>, TreeError> {
    let entries = git.list_top(commit)?;
    let may_hold_data = |entry: &&TreeEntry| match entry.mode.as_str() {
        "040000" => misplaced::may_hold_data(&path_of(entry), true, wanted),
        "100644" | "100755" => misplaced::may_hold_data(&path_of(entry), false, wanted),
        _ => false,
    };
    Ok(entries.iter().filter(may_hold_data).map(path_of).collect())
}

fn within_limit(entry: &TreeEntry, bytes: u64) -> Result<&TreeEntry, Unreadable> {
    if bytes > MOST_BYTES { Err(Unreadable::TooManyFiles) } else { Ok(entry) }
}

pub(super) fn commit(git: &Git, revision: &str) -> Result<String, TreeError> {
    match git.commit(revision) {
        Ok(commit) => Ok(commit),
        Err(GitError::Failed(_)) if !git.is_repository().map_err(TreeError::from)? => {
            Err(TreeError::NotARepository(git.folder().to_owned()))
        }
        Err(GitError::Failed(_)) => {
            Err(TreeError::UnknownRevision(revision.to_owned(), hint_for(git, revision)))
        }
        Err(error) => Err(error.into()),
    }
}

fn hint_for(git: &Git, revision: &str) -> String {
    const FEW: usize = 6;
    let branches = git.branches().unwrap_or_default();
    let of_a_remote =
        |branch: &&String| branch.split_once('/').is_some_and(|(_, name)| name == revision);
    if let Some(branch) = branches.iter().find(of_a_remote) {
        return format!("did you mean `{branch}`?");
    }
    if git.locate("HEAD").is_ok_and(|here| here.is_shallow) {
        return "this is a shallow clone: `git fetch --unshallow` gets the rest of its history"
            .to_owned();
    }
    match branches.as_slice() {
        [] => "there is no branch in this repository".to_owned(),
        some => {
            let more = if some.len() > FEW { ", …" } else { "" };
            format!("its branches are {}{more}", some[..some.len().min(FEW)].join(", "))
        }
    }
}

fn path_of(entry: &TreeEntry) -> String {
    String::from_utf8_lossy(&entry.path).into_owned()
}

/// The folders among the entries whose names look like those of files. Git lists only files, so
/// folders are found in their paths.
fn folders_named_like_files(entries: &[TreeEntry]) -> BTreeSet<String> {
    let paths: Vec<String> = entries.iter().map(path_of).collect();
    let folders = paths.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]));
    let like_files =
        folders.filter(|folder| Path::new(folder).extension().is_some_and(|e| e == "yaml"));
    like_files.map(str::to_owned).collect()
}

fn is_link(entry: &TreeEntry) -> bool {
    entry.mode == "120000"
}

fn read_links(git: &Git, entries: &[TreeEntry]) -> Result<HashMap<String, String>, TreeError> {
    let links: Vec<&TreeEntry> =
        entries.iter().filter(|e| is_link(e) && e.size < Some(4096)).collect();
    if links.is_empty() {
        return Ok(HashMap::default());
    }
    let objects: Vec<String> = links.iter().map(|e| e.object.clone()).collect();
    let targets = git.contents(&objects)?;
    let target = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(links.into_iter().map(path_of).zip(targets.into_iter().map(target)).collect())
}

/// The entry that has the content of `entry`: itself, or the target of the link.
fn readable<'e>(
    entry: &'e TreeEntry,
    links: &HashMap<String, String>,
    by_path: &HashMap<String, &'e TreeEntry>,
) -> Result<&'e TreeEntry, Unreadable> {
    let mut entry = entry;
    if is_link(entry) {
        let end = symlinks::resolve(&path_of(entry), |at| links.get(at).cloned());
        let end = end?;
        let nowhere = || Unreadable::Link(format!("there is no data file at `{end}`"));
        entry = by_path.get(&end).copied().filter(|e| !is_link(e)).ok_or_else(nowhere)?;
    }
    match entry.size {
        None => Err(Unreadable::Submodule),
        Some(size) if size > MAX_FILE => Err(Unreadable::TooLarge(size)),
        Some(_) => Ok(entry),
    }
}

impl From<GitError> for TreeError {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Missing(why) => Self::NoGit(why),
            GitError::Failed(why) | GitError::Unusable(why) => Self::Git(why),
            GitError::Refused { why, help } => Self::Refused { why, help },
        }
    }
}
