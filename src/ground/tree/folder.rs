//! Reads a repository in a folder, and single files.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use rayon::prelude::*;

use crate::domain::HashMap;
use crate::text::{Failure, system_words};

use super::{
    Blob, MAX_DEPTH, MAX_FILE, MOST_BYTES, TreeError, Unreadable, WantedPaths, misplaced, sparse,
    symlinks,
};

/// Lists the wanted files of a folder, including those that a sparse checkout omits.
pub(crate) fn read_folder(root: &Path, wanted: WantedPaths) -> Result<Vec<Blob>, TreeError> {
    fs::read_dir(root).map_err(|e| TreeError::Folder(root.to_owned(), system_words(&e)))?;
    let (mut found, omitted) = thread::scope(|scope| {
        let omitted = scope.spawn(|| sparse::list(root, wanted));
        (listed(root, wanted), omitted.join())
    });
    let omitted = omitted.map_err(|_| TreeError::Git("cannot read the index".to_owned()))??;
    if !omitted.is_empty() {
        let present: BTreeSet<&str> = found.iter().map(|f| f.relative.as_str()).collect();
        let omitted = sparse::read(root, omitted, &present)?;
        found.extend(omitted.into_iter().map(|file| FoundPath {
            path: root.join(&file.path),
            relative: file.path,
            kind: PathKind::Omitted { is_link: file.is_link, content: file.content },
        }));
        found.sort_by(|a, b| a.relative.cmp(&b.relative));
    }
    Ok(read_found(&found))
}

/// The wanted paths of a folder, sorted.
fn listed(root: &Path, wanted: WantedPaths) -> Vec<FoundPath> {
    let mut found = Vec::new();
    for name in wanted.folders {
        collect(root.join(name), (*name).to_owned(), 0, &mut found);
    }
    for name in wanted.files {
        let path = root.join(name);
        let Ok(meta) = path.symlink_metadata() else { continue };
        let folder = path.parent().filter(|folder| *folder != root);
        let kind = if folder.is_some_and(is_link) {
            PathKind::Inaccessible(LINKED_FOLDER.to_owned())
        } else {
            PathKind::of(meta.file_type())
        };
        found.push(FoundPath { relative: (*name).to_owned(), kind, path });
    }
    collect_misplaced(root, wanted, &mut found);
    found.sort_by(|a, b| a.relative.cmp(&b.relative));
    found
}

fn collect_misplaced(root: &Path, wanted: WantedPaths, found: &mut Vec<FoundPath>) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let (kind, name) = (kind_of(&entry), entry.file_name().to_string_lossy().into_owned());
        match kind {
            PathKind::Folder if misplaced::may_hold_data(&name, true, wanted) => {
                collect(entry.path(), name, 0, found);
            }
            PathKind::File if misplaced::may_hold_data(&name, false, wanted) => {
                found.push(FoundPath { path: entry.path(), relative: name, kind });
            }
            _ => {}
        }
    }
}

fn read_found(found: &[FoundPath]) -> Vec<Blob> {
    let targets: HashMap<&str, Option<String>> = found
        .iter()
        .filter_map(|file| {
            let target = match &file.kind {
                PathKind::Link => link_target(&file.path),
                PathKind::Omitted { is_link: true, content } => {
                    let target = content.as_ref().ok();
                    target.map(|target| String::from_utf8_lossy(target).into_owned())
                }
                _ => return None,
            };
            Some((file.relative.as_str(), target))
        })
        .collect();
    let by_name: HashMap<&str, &FoundPath> =
        found.iter().map(|f| (f.relative.as_str(), f)).collect();
    let content_of = |file: &FoundPath| match &file.kind {
        PathKind::Link | PathKind::Omitted { is_link: true, .. } => {
            let end = symlinks::resolve(&file.relative, |at| targets.get(at).cloned().flatten());
            let end = end?;
            let target = by_name.get(end.as_str());
            match target.map(|target| (&target.kind, &target.path)) {
                Some((PathKind::File, path)) => read(path),
                Some((PathKind::Omitted { is_link: false, content }, _)) => content.clone(),
                _ => Err(Unreadable::Link(format!("there is no data file at `{end}`"))),
            }
        }
        PathKind::Omitted { content, .. } => content.clone(),
        PathKind::File => read(&file.path),
        PathKind::Folder => Err(Unreadable::Folder),
        PathKind::Special => Err(Unreadable::SpecialFile),
        PathKind::Inaccessible(why) => Err(Unreadable::Io(why.clone())),
    };
    let bytes = AtomicU64::new(0);
    let blob = |file: &FoundPath| {
        let mut content = content_of(file);
        let size = content.as_ref().map_or(0, |content| content.len() as u64);
        if bytes.fetch_add(size, Ordering::Relaxed) + size > MOST_BYTES {
            content = Err(Unreadable::TooManyFiles);
        }
        Blob {
            path: file.relative.clone(),
            content,
            file: matches!(file.kind, PathKind::File).then(|| file.path.clone()),
            is_omitted: matches!(file.kind, PathKind::Omitted { .. }),
        }
    };
    // A task for each file would cost more than reading the file.
    let blobs: Vec<Blob> = found.par_iter().with_min_len(32).map(blob).collect();
    if bytes.load(Ordering::Relaxed) <= MOST_BYTES {
        return blobs;
    }
    // Which files exceed the limit must depend only on their order.
    drop(blobs);
    bytes.store(0, Ordering::Relaxed);
    found.iter().map(blob).collect()
}

struct FoundPath {
    path: PathBuf,
    relative: String,
    kind: PathKind,
}

enum PathKind {
    File,
    /// A folder. It is reported only if it should be a file.
    Folder,
    Link,
    Special,
    /// A file that a sparse checkout omits. The content of a link is its target.
    Omitted {
        is_link: bool,
        content: Result<Vec<u8>, Unreadable>,
    },
    /// A path that cannot be accessed, with the reason.
    Inaccessible(String),
}

impl PathKind {
    fn of(file_type: fs::FileType) -> Self {
        if file_type.is_file() {
            Self::File
        } else if file_type.is_dir() {
            Self::Folder
        } else if file_type.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}

fn collect(folder: PathBuf, relative: String, depth: usize, found: &mut Vec<FoundPath>) {
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return,
        Err(e) => {
            let kind = match folder.symlink_metadata() {
                Ok(meta) if meta.is_file() => PathKind::File,
                _ => PathKind::Inaccessible(system_words(&e)),
            };
            found.push(FoundPath { path: folder, relative, kind });
            return;
        }
    };
    if is_link(&folder) {
        found.push(FoundPath {
            path: folder,
            relative,
            kind: PathKind::Inaccessible(LINKED_FOLDER.to_owned()),
        });
        return;
    }
    for entry in entries.flatten() {
        if is_draft(&entry) {
            continue;
        }
        let path = entry.path();
        let relative = format!("{relative}/{}", entry.file_name().to_string_lossy());
        let kind = kind_of(&entry);
        if matches!(kind, PathKind::Folder) && depth < MAX_DEPTH {
            collect(path.clone(), relative.clone(), depth + 1, found);
        }
        // A folder is listed only if its name says that it should be a file.
        if !matches!(kind, PathKind::Folder) || path.extension().is_some_and(|e| e == "yaml") {
            found.push(FoundPath { path, relative, kind });
        }
    }
}

/// Part of the names of temporary files with which this program replaces others. They are not data.
/// One remains only if the program is killed.
pub(crate) const DRAFT: &str = ".exitpath-";

fn is_draft(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    let process = name.strip_prefix('.').and_then(|name| name.rsplit_once(DRAFT));
    process.is_some_and(|(_, process)| process.parse::<u32>().is_ok())
}

/// Such a link can lead outside the repository, so it is not followed.
const LINKED_FOLDER: &str = "its folder is a symbolic link";

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_symlink())
}

fn kind_of(entry: &DirEntry) -> PathKind {
    match entry.file_type() {
        Ok(kind) => PathKind::of(kind),
        Err(e) => PathKind::Inaccessible(system_words(&e)),
    }
}

fn link_target(path: &Path) -> Option<String> {
    let target = fs::read_link(path).ok()?;
    Some(target.to_string_lossy().into_owned())
}

/// The text of a small regular file. None if it does not exist. The error says what is wrong.
pub(crate) fn read_text(path: &Path) -> Result<Option<String>, Failure> {
    read_text_up_to(path, MAX_FILE)
}

/// Like [`read_text`], with another limit.
pub(crate) fn read_text_up_to(path: &Path, limit: u64) -> Result<Option<String>, Failure> {
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Failure::new(system_words(&e))),
    };
    if !meta.is_file() {
        return Err(Failure::new("it is not a regular file"));
    }
    let bytes = read_up_to(path, limit).map_err(|why| match why {
        Unreadable::TooLarge(size) => {
            let (size, limit) = (size >> 20, limit >> 20);
            Failure::new(format!("it has {size} MiB, but the limit is {limit} MiB"))
        }
        Unreadable::Io(why) => Failure::new(why),
        other => Failure::new(format!("{other:?}")),
    })?;
    String::from_utf8(bytes).map(Some).map_err(|_| Failure::new("it is not UTF-8 text"))
}

/// Reads a file that the user names. Unlike a data file, it can be anywhere, and behind links.
/// `limit` is in bytes.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    match path.metadata().map(|meta| PathKind::of(meta.file_type())) {
        Ok(PathKind::File) => read_up_to(path, limit),
        Ok(PathKind::Folder) => Err(Unreadable::Folder),
        // Opening a pipe would block until there is a writer.
        Ok(_) => Err(Unreadable::SpecialFile),
        Err(e) => Err(Unreadable::Io(system_words(&e))),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    read_up_to(path, MAX_FILE)
}

fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let io = |e: io::Error| Unreadable::Io(system_words(&e));
    let file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    if size > limit {
        return Err(Unreadable::TooLarge(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // The file can grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limit {
        return Err(Unreadable::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}
