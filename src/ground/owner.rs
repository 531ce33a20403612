//! Who owns a file.

use std::path::Path;

/// Whether a file or folder belongs to the user who runs this program. Links are not followed. On
/// systems without Unix owners, every file counts as the user's.
#[cfg(unix)]
pub(crate) fn is_ours(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    path.symlink_metadata().is_ok_and(|meta| meta.uid() == user)
}

#[cfg(not(unix))]
pub(crate) fn is_ours(_path: &Path) -> bool {
    true
}
