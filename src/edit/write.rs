//! Writes files, and never through a symbolic link that a repository holds.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::tree::read_text_up_to;

/// Replaces the text of a regular file, and keeps its permissions. Fails if the text is no longer
/// `old`.
///
/// Writes a new file next to it and renames that, so that a reader, or a crash, never sees half of
/// a file.
pub fn replace(path: &Path, old: &str, new: &str) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.exitpath-{}", std::process::id()));
    let mut file = new_file(&draft)?;
    let written = file
        .write_all(new.as_bytes())
        .and_then(|()| fs::set_permissions(&draft, meta.permissions()))
        .and_then(|()| expect_text(path, old))
        .and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Creates a file that did not exist. Only its owner can read it.
fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn expect_text(path: &Path, text: &str) -> io::Result<()> {
    let size = text.len() as u64;
    let has_changed = || io::Error::other("it has changed since it was read");
    if fs::symlink_metadata(path)?.len() != size {
        return Err(has_changed());
    }
    let now = read_text_up_to(path, size).map_err(io::Error::other)?;
    if now.as_deref() == Some(text) { Ok(()) } else { Err(has_changed()) }
}

/// Creates or empties a file that the user names.
///
/// The user did not choose the links of a repository: a pull request can add one that leads to any
/// file of the user. So no link in a git work tree or a graph-data repository is followed.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match link_of_a_repository(path)? {
        None => File::create(path),
        Some(link) => Err(io::Error::other(format!(
            "{} is a symbolic link in a repository, and it can lead anywhere",
            link.display()
        ))),
    }
}

/// The first link on the way to `path` that is in a repository.
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
