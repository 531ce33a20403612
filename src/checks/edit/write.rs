//! Writes files, but never through a symbolic link in a repository.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::ErrorKind::{PermissionDenied, ResourceBusy};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::tree::{DRAFT, read_text_up_to};

/// Replaces the text of a regular file, and keeps its permissions and its owner. Fails if the text
/// is no longer `old`.
pub fn replace(path: &Path, old: &str, new: &str) -> io::Result<()> {
    replace_if(path, new.as_bytes(), || expect_text(path, old))
}

/// Creates a file that the user names, or replaces all of it.
pub(crate) fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    refuse_links_of_repositories(path)?;
    // Follow the user's own link to the file. A pipe or a device cannot be replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&target) {
        Ok(meta) if !meta.is_file() => File::create(&target)?.write_all(text),
        _ => match replace_if(&target, text, || Ok(())) {
            // The user may write to the file, but not to its folder, or the file is mounted.
            Err(error) if matches!(error.kind(), PermissionDenied | ResourceBusy) => {
                File::create(&target)?.write_all(text)
            }
            written => written,
        },
    }
}

/// Writes a new file next to another one and renames it, so that a reader, or a crash, never sees
/// half of a file.
fn replace_if(
    path: &Path,
    text: &[u8],
    is_expected: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    let draft = path.with_file_name(draft_name(path));
    let mut file = new_file(&draft, fs::metadata(path).is_err())?;
    let written = file
        .write_all(text)
        .and_then(|()| fs::metadata(path).map_or(Ok(()), |meta| make_like(&file, &meta)))
        .and_then(|()| file.sync_all())
        .and_then(|()| is_expected())
        .and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

pub(super) fn draft_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}{DRAFT}{}", std::process::id())
}

/// Creates a file that does not exist. Unless it stays a new file, only its owner can read it.
pub(super) fn new_file(path: &Path, stays_new: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if stays_new { 0o666 } else { 0o600 });
    options.open(path)
}

/// Gives a file the owner and the permissions of another one.
pub(super) fn make_like(file: &File, other: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (other.uid(), other.gid()) {
            std::os::unix::fs::fchown(file, Some(other.uid()), Some(other.gid())).map_err(
                |error| io::Error::new(error.kind(), format!("cannot keep its owner: {error}")),
            )?;
        }
    }
    file.set_permissions(other.permissions())
}

pub(super) fn expect_text(path: &Path, text: &str) -> io::Result<()> {
    let size = text.len() as u64;
    let has_changed = || io::Error::other("it has changed since it was read");
    if fs::symlink_metadata(path)?.len() != size {
        return Err(has_changed());
    }
    let now = read_text_up_to(path, size).map_err(io::Error::other)?;
    if now.as_deref() == Some(text) { Ok(()) } else { Err(has_changed()) }
}

/// Creates or empties a file that the user names.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    refuse_links_of_repositories(path)?;
    File::create(path)
}

/// The user did not choose the links of a repository: a pull request can add one that leads to any
/// file of the user. So no link in a git work tree or a graph-data repository is followed.
fn refuse_links_of_repositories(path: &Path) -> io::Result<()> {
    match link_of_a_repository(path)? {
        None => Ok(()),
        Some(link) => Err(io::Error::other(format!(
            "{} is a symbolic link in a repository, and it can lead anywhere",
            link.display()
        ))),
    }
}

/// The first link on the path to `path` that is in a repository.
fn link_of_a_repository(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut here = std::env::current_dir()?.canonicalize()?;
    for part in path.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => here = here.join(part),
            Component::CurDir => {}
            Component::ParentDir => {
                here.pop();
            }
            Component::Normal(name) => {
                let next = here.join(name);
                let is_link = next.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
                if is_link && is_in_a_repository(&here) {
                    return Ok(Some(next));
                }
                here = if is_link { next.canonicalize().unwrap_or(next) } else { next };
            }
        }
    }
    Ok(None)
}

fn is_in_a_repository(folder: &Path) -> bool {
    let marks = [".git", "blocked-edges", "channels"];
    let has_mark = |folder: &Path| marks.iter().any(|mark| folder.join(mark).exists());
    folder.ancestors().any(has_mark)
}
