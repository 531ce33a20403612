//! What git does to a work tree at one time.

#[cfg(feature = "serve")]
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(feature = "serve")]
use std::time::SystemTime;

use crate::git::Git;

/// The files that git writes when it commits or checks out another commit. Empty if the folder is
/// in no repository.
#[cfg(feature = "lsp")]
pub(crate) fn files_of_head(folder: &Path) -> Vec<PathBuf> {
    let git = Git::at(folder);
    let Ok(place) = git.place() else { return Vec::new() };
    let log = place.git_dir.join("logs/HEAD");
    vec![place.git_dir.join("HEAD"), log, place.common_dir.join("refs/heads")]
}

/// What git does to a work tree at one time. If two of these are equal and have no lock, all files
/// that were read in between belong to one state of the work tree, because git holds the lock from
/// the first file that it changes until it has replaced the index.
#[cfg(feature = "serve")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkout {
    /// The lock, if git holds it.
    pub lock: Option<PathBuf>,
    index: Option<(SystemTime, u64)>,
}

#[cfg(feature = "serve")]
impl Checkout {
    /// None if the folder is in no repository.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let git = Git::at(folder);
        let place = git.place().ok()?;
        let lock = place.lock();
        let index = fs::metadata(place.git_dir.join("index")).ok();
        let index = index.and_then(|meta| Some((meta.modified().ok()?, meta.len())));
        Some(Self { lock: lock.symlink_metadata().is_ok().then_some(lock), index })
    }
}
