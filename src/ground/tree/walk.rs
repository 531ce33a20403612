//! Lists and reads all files below a folder or a revision, without the bulk of their texts.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use crate::git::{FileChange, Git, TreeEntry};
use crate::text::{Condensed, Condenser, system_words};

use super::{TreeError, Unreadable};

/// A file below a folder, or of a revision.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// The path relative to the folder, with `/` between its parts.
    pub path: String,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    File(PathBuf),
    /// An object in a git repository, and its size.
    Object(String, u64),
    Unreadable(Unreadable),
}

/// The deepest folders to search. Deeper ones are not data.
const DEEPEST: usize = 64;
/// The most files. Real catalogs have some hundreds.
const MOST_FILES: usize = 200_000;
/// The most bytes of a file without its bulk.
const LARGEST: usize = 192 << 20;

/// All regular files below a folder, sorted. Links are not followed. The second list contains them.
pub(crate) fn files_below(root: &Path) -> Result<(Vec<ListedFile>, Vec<String>), TreeError> {
    let (mut files, mut links) = (Vec::new(), Vec::new());
    let mut folders = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if prefix.is_empty() => {
                return Err(TreeError::Folder(folder, system_words(&error)));
            }
            Err(error) => {
                let why = Unreadable::Io(system_words(&error));
                let path = prefix.trim_end_matches('/').to_owned();
                files.push(ListedFile { path, content: Content::Unreadable(why) });
                continue;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let why = Unreadable::Io(system_words(&error));
                    let path = prefix.trim_end_matches('/').to_owned();
                    files.push(ListedFile { path, content: Content::Unreadable(why) });
                    continue;
                }
            };
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth == DEEPEST => {
                    let why = Unreadable::Io(format!("it is nested {DEEPEST} folders deep"));
                    files.push(ListedFile { path, content: Content::Unreadable(why) });
                }
                Ok(kind) if kind.is_dir() => {
                    folders.push((entry.path(), format!("{path}/"), depth + 1));
                }
                Ok(kind) if kind.is_file() && files.len() == MOST_FILES => {
                    let why = format!("it has more than {MOST_FILES} files");
                    return Err(TreeError::Folder(root.to_owned(), why));
                }
                Ok(kind) if kind.is_file() => {
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

/// All regular files below paths at a revision, sorted.
pub(crate) fn files_of_revision(
    root: &Path,
    revision: &str,
    paths: &[&str],
) -> Result<Vec<ListedFile>, TreeError> {
    let git = Git::at(root);
    let commit = super::revision::commit(&git, revision)?;
    let entries = git.list(&commit, paths)?;
    let is_file = |entry: &TreeEntry| entry.mode.starts_with("100");
    let mut files: Vec<ListedFile> = entries
        .into_iter()
        .filter(is_file)
        .map(|entry| {
            let content = content_of_object(entry.object, entry.size);
            ListedFile { path: String::from_utf8_lossy(&entry.path).into_owned(), content }
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The content of a file in git. If there is no size, the object is missing.
fn content_of_object(object: String, size: Option<u64>) -> Content {
    match size {
        Some(size) => Content::Object(object, size),
        None => Content::Unreadable(Unreadable::Io("this clone lacks its content".to_owned())),
    }
}

impl ListedFile {
    /// A file that the user names.
    pub(crate) fn named(path: &Path, shown: String) -> Self {
        Self { path: shown, content: Content::File(path.to_owned()) }
    }

    /// The file with a path relative to a folder. None if it is not in the folder. The folder ends
    /// in `/`.
    pub(crate) fn below(&self, folder: &str) -> Option<Self> {
        let path = self.path.strip_prefix(folder)?.to_owned();
        Some(Self { path, content: self.content.clone() })
    }

    /// The size of its content in a git repository, in bytes.
    pub(crate) fn size(&self) -> u64 {
        match &self.content {
            Content::Object(_, size) => *size,
            _ => 0,
        }
    }

    /// The object that has its content in a git repository.
    pub(crate) fn object(&self) -> Option<&str> {
        match &self.content {
            Content::Object(object, _) => Some(object),
            _ => None,
        }
    }
}

/// Listed files with their contents. Those of a revision are read together, because a git process
/// for each takes longer than all of their content.
#[derive(Debug)]
pub(crate) struct Contents<'f> {
    root: &'f Path,
    files: &'f [ListedFile],
    keep: &'static [&'static str],
    /// What git returned for each file, until it is read.
    of_objects: Vec<Mutex<Option<Result<Condensed, Unreadable>>>>,
}

/// How many files one git process reads. Several processes run in parallel.
const TOGETHER: usize = 64;
/// The most bytes of a file of a revision.
const LARGEST_OBJECT: u64 = 2 << 30;

impl<'f> Contents<'f> {
    /// Prepares to read files. Runs of base64 that contain one of the texts in `keep` stay whole.
    pub(crate) fn of(
        root: &'f Path,
        files: &'f [ListedFile],
        keep: &'static [&'static str],
    ) -> Self {
        let read = |files: &[ListedFile]| {
            let objects: Vec<String> = files.iter().filter_map(readable_object).collect();
            let mut contents = objects_at(root, &objects, keep).into_iter();
            let content =
                |file: &ListedFile| Mutex::new(readable_object(file).and_then(|_| contents.next()));
            files.iter().map(content).collect::<Vec<_>>()
        };
        let of_objects = files.par_chunks(TOGETHER).flat_map_iter(read).collect();
        Self { root, files, keep, of_objects }
    }

    /// The content of a file, by its index in the list.
    pub(crate) fn read(&self, at: usize) -> Result<Condensed, Unreadable> {
        let known = self.of_objects.get(at).and_then(|known| known.lock().ok()?.take());
        known.unwrap_or_else(|| self.read_alone(at))
    }

    fn read_alone(&self, at: usize) -> Result<Condensed, Unreadable> {
        match &self.files[at].content {
            Content::File(path) => {
                let io = |error: io::Error| Unreadable::Io(system_words(&error));
                condense(File::open(path).map_err(io)?, self.keep)
            }
            Content::Object(_, size) if *size > LARGEST_OBJECT => Err(Unreadable::TooLarge(*size)),
            Content::Object(object, _) => object_alone(&Git::at(self.root), object, self.keep),
            Content::Unreadable(why) => Err(why.clone()),
        }
    }
}

fn readable_object(file: &ListedFile) -> Option<String> {
    match &file.content {
        Content::Object(object, size) if *size <= LARGEST_OBJECT => Some(object.clone()),
        _ => None,
    }
}

/// The contents of objects. If git cannot read one, the others are still returned.
fn objects_at(
    root: &Path,
    objects: &[String],
    keep: &'static [&'static str],
) -> Vec<Result<Condensed, Unreadable>> {
    let git = Git::at(root);
    let together = git.read_each(objects, |content| condense(content, keep));
    let alone = |object: &String| object_alone(&git, object, keep);
    together.unwrap_or_else(|_| objects.iter().map(alone).collect())
}

fn object_alone(
    git: &Git,
    object: &String,
    keep: &'static [&'static str],
) -> Result<Condensed, Unreadable> {
    let read = git.read_each(std::slice::from_ref(object), |content| condense(content, keep));
    let missing = || Unreadable::Io("git did not answer".to_owned());
    read.ok().and_then(|mut contents| contents.pop()).ok_or_else(missing)?
}

/// Reads a stream to its end. Only what is not bulk is kept in memory.
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
            Err(error) => return Err(Unreadable::Io(system_words(&error))),
        }
        if condenser.len() > LARGEST {
            return Err(Unreadable::TooLarge(condenser.len() as u64));
        }
    }
}

/// A file as a commit left it.
#[derive(Debug)]
pub(crate) struct PastFile {
    pub file: ListedFile,
    pub commit: String,
}

/// The files below paths that commits up to a revision added or changed, oldest first.
pub(crate) fn past_files(
    root: &Path,
    revision: Option<&str>,
    paths: &[&str],
) -> Result<Vec<PastFile>, TreeError> {
    let git = Git::at(root);
    let commit = super::revision::commit(&git, revision.unwrap_or("HEAD"))?;
    let commits = git.commits(&commit)?;
    let changes = git.changes(&commits, paths)?;
    let objects: Vec<String> = changes.iter().map(|change| change.object.clone()).collect();
    let sizes = git.sizes_if_there(&objects)?;
    let file = |(change, size): (FileChange, Option<u64>)| {
        let commit = commits.get(change.commit_index)?.id.clone();
        let content = content_of_object(change.object, size);
        Some(PastFile { file: ListedFile { path: change.path, content }, commit })
    };
    Ok(changes.into_iter().zip(sizes).filter_map(file).collect())
}

/// The commits up to a revision that change anything below paths.
pub(crate) fn commits_of(
    root: &Path,
    revision: Option<&str>,
    paths: &[&str],
) -> Result<Vec<String>, TreeError> {
    let git = Git::at(root);
    let commit = super::revision::commit(&git, revision.unwrap_or("HEAD"))?;
    Ok(git.commits_below(&commit, paths)?)
}
