//! Lists and reads all files below a folder or a revision, without the bulk of their texts.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::git::{Git, TreeEntry};
use crate::text::{Condensed, Condenser};

use super::{TreeError, Unreadable};

/// A file below a folder, or of a revision.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// Relative to the folder, with `/` between its parts.
    pub path: String,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    File(PathBuf),
    /// The object of a git repository, and its size.
    Object(String, u64),
    Unreadable(Unreadable),
}

/// Folders deeper than this are not data.
const DEEPEST: usize = 64;
/// Most files. Real catalogs have some hundreds.
const MOST_FILES: usize = 200_000;
/// Most bytes of a file without its bulk.
const LARGEST: usize = 192 << 20;

/// All regular files below a folder, sorted. Links are not followed: those are the second list.
pub(crate) fn files_below(root: &Path) -> Result<(Vec<ListedFile>, Vec<String>), TreeError> {
    let (mut files, mut links) = (Vec::new(), Vec::new());
    let mut folders = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if prefix.is_empty() => {
                return Err(TreeError::Folder(folder, super::folder::message_of(&error)));
            }
            Err(error) => {
                let why = Unreadable::Io(super::folder::message_of(&error));
                let path = prefix.trim_end_matches('/').to_owned();
                files.push(ListedFile { path, content: Content::Unreadable(why) });
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < DEEPEST => {
                    folders.push((entry.path(), format!("{path}/"), depth + 1));
                }
                Ok(kind) if kind.is_file() && files.len() < MOST_FILES => {
                    files.push(ListedFile { path, content: Content::File(entry.path()) });
                }
                Ok(kind) if kind.is_symlink() => links.push(path),
                _ => {}
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    links.sort();
    Ok((files, links))
}

/// All regular files of a folder at a revision, sorted.
pub(crate) fn files_of_revision(root: &Path, revision: &str) -> Result<Vec<ListedFile>, TreeError> {
    let git = Git::at(root);
    let commit = super::revision::commit(&git, revision)?;
    let entries = git.list(&commit, &["."])?;
    let is_file = |entry: &TreeEntry| entry.mode.starts_with("100");
    let mut files: Vec<ListedFile> = entries
        .into_iter()
        .filter(is_file)
        .map(|entry| {
            let missing = Unreadable::Io("this clone lacks its content".to_owned());
            let content = match entry.size {
                Some(size) => Content::Object(entry.object, size),
                None => Content::Unreadable(missing),
            };
            ListedFile { path: String::from_utf8_lossy(&entry.path).into_owned(), content }
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

impl ListedFile {
    /// A file that the user names.
    pub(crate) fn named(path: &Path, shown: String) -> Self {
        Self { path: shown, content: Content::File(path.to_owned()) }
    }

    /// The file with a path relative to a folder, if it is in it. The folder ends in `/`.
    pub(crate) fn below(&self, folder: &str) -> Option<Self> {
        let path = self.path.strip_prefix(folder)?.to_owned();
        Some(Self { path, content: self.content.clone() })
    }

    /// Reads the file. Runs of base64 that contain one of the texts stay whole.
    pub(crate) fn read(
        &self,
        root: &Path,
        keep: &'static [&'static str],
    ) -> Result<Condensed, Unreadable> {
        let io = |error: io::Error| Unreadable::Io(super::folder::message_of(&error));
        match &self.content {
            Content::File(path) => condense(File::open(path).map_err(io)?, keep),
            Content::Object(_, size) if *size > 2 << 30 => Err(Unreadable::TooLarge(*size)),
            Content::Object(object, _) => {
                let contents = Git::at(root).contents(std::slice::from_ref(object));
                let content = contents.ok().and_then(|mut contents| contents.pop());
                let missing = || Unreadable::Io("git did not answer".to_owned());
                condense(content.ok_or_else(missing)?.as_slice(), keep)
            }
            Content::Unreadable(why) => Err(why.clone()),
        }
    }
}

/// Reads all of a stream, in memory that depends on what is not bulk.
pub(crate) fn condense(
    mut from: impl Read,
    keep: &'static [&'static str],
) -> Result<Condensed, Unreadable> {
    let mut condenser = Condenser::keeping(keep);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(condenser.finish()),
            Ok(read) => condenser.push(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Unreadable::Io(super::folder::message_of(&error))),
        }
        if condenser.len() > LARGEST {
            return Err(Unreadable::TooLarge(condenser.len() as u64));
        }
    }
}

/// Each content that files below paths ever had, up to a revision, once.
pub(crate) fn versions_of(
    root: &Path,
    revision: Option<&str>,
    paths: &[&str],
) -> Result<Vec<ListedFile>, TreeError> {
    let git = Git::at(root);
    let commit = super::revision::commit(&git, revision.unwrap_or("HEAD"))?;
    let commits = git.commits(&commit)?;
    let mut changes = git.changes(&commits, paths)?;
    changes.sort_by(|a, b| (&a.path, &a.object).cmp(&(&b.path, &b.object)));
    changes.dedup_by(|a, b| a.object == b.object);
    let objects: Vec<String> = changes.iter().map(|change| change.object.clone()).collect();
    let sizes = git.sizes(&objects)?;
    let file = |(change, size): (crate::git::FileChange, u64)| ListedFile {
        path: change.path,
        content: Content::Object(change.object, size),
    };
    Ok(changes.into_iter().zip(sizes).map(file).collect())
}
