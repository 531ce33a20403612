//! Writes a file atomically.

use std::fs;
use std::io;
use std::path::Path;

/// Replaces the content of a regular file, and keeps its permissions.
///
/// Writes a new file next to it and renames that, so that a reader, or a crash, never sees half of
/// a file.
pub(crate) fn write(path: &Path, content: &str) -> io::Result<()> {
    let old = fs::symlink_metadata(path)?;
    if !old.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.exitpath-{}", std::process::id()));
    let written = fs::write(&beside, content)
        .and_then(|()| fs::set_permissions(&beside, old.permissions()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}
